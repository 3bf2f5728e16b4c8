# peer_thing: the planned value is not the configured one
#
#   terraform init
#   terraform plan
#
# The last command reports "Provider produced invalid plan", about .size.

terraform {
  required_providers {
    peer = {
      source  = "hashicorp/peer"
    }
  }
}

provider "peer" {
}

# Its output is not known before it is applied.
resource "terraform_data" "unknown" {
  input = {
    v1 = "example"
    v2 = 1
  }
}

resource "peer_thing" "example" {
  name = terraform_data.unknown.output.v1
  size = terraform_data.unknown.output.v2
}
