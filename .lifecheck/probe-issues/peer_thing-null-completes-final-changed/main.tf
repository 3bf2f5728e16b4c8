# peer_thing: the value is not the planned one
#
#   terraform init
#   terraform apply
#
# The last command reports "Provider produced inconsistent final plan", about .titled.

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
    v1 = null
  }
}

resource "peer_thing" "example" {
  name = "example"
  title = terraform_data.unknown.output.v1
}
