# peer_blocks: a block that is unknown in the configuration is not planned unknown
#
#   terraform init
#   terraform plan
#
# The last command reports "Provider produced invalid plan", about .disk.

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
    v1 = [{
        part = []
        size = 1
      }]
  }
}

resource "peer_blocks" "example" {
  dynamic "disk" {
    for_each = terraform_data.unknown.output.v1
    content {
      size = try(disk.value.size, null)
    }
  }
  network {
  }
}
