"""The schema as it is passes `relay-compiler` and `graphql-codegen` at their strictest."""

import json
from pathlib import Path

import pytest

from tests.clients.examples import STRICT, files_of
from tests.clients.toolbox import finished
from tests.clients.workshop import run
from tests.support.processes import ROOT

pytestmark = pytest.mark.timeout(600)  # the first run installs

DOCUMENTS = """import { graphql } from "relay-runtime";

export const contact = graphql`
  fragment main_contact on Contact @refetchable(queryName: "mainContactQuery")
  @argumentDefinitions(first: { type: "Int", defaultValue: 5 }, after: { type: "String" }) {
    name company { nome }
    messages(first: $first, after: $after) @connection(key: "main_messages") {
      edges { node { __typename id status ... on SmsMessage { segments } } }
    }
  }
`;
export const list = graphql`
  query mainListQuery($first: Int!, $after: String) {
    contacts(first: $first, after: $after) @connection(key: "main_contacts") { edges { node { ...main_contact } } }
    walletTransfers(first: 2) { edges { node { id } } }
  }
`;
export const create = graphql`
  mutation mainCreateMutation($input: CreateContactInput!, $connections: [ID!]!) {
    createContact(input: $input) @prependNode(connections: $connections, edgeTypeName: "ContactEdge") { ...main_contact }
  }
`;
export const remove = graphql`
  mutation mainRemoveMutation($id: ID!, $connections: [ID!]!) {
    deleteContact(id: $id) { id @deleteEdge(connections: $connections) }
  }
`;
export const told = graphql`
  subscription mainToldSubscription { messageChanged { __typename } }
`;
"""


def test_relay_compiler_takes_it_with_its_strictest_settings(
    workshop: Path, tmp_path: Path
) -> None:
    """Connections, refetching by `node`, and lists that mutations change are as Relay wants them."""
    (tmp_path / "node_modules").symlink_to(workshop / "node_modules")
    config = json.loads(files_of(ROOT / "docs/examples/relay.md")["relay.config.json"])
    strict = {**config["featureFlags"], "enforce_module_name_prefix_for_non_haste": True}
    (tmp_path / "relay.config.json").write_text(json.dumps({**config, "featureFlags": strict}))
    (tmp_path / "schema.graphql").write_bytes((ROOT / "graphql_api/schema.graphql").read_bytes())
    (tmp_path / "src").mkdir()
    (tmp_path / "src/main.ts").write_text(DOCUMENTS)

    told = finished([str(workshop / "node_modules/.bin/relay-compiler")], folder=tmp_path)

    assert "ERROR" not in told
    assert len([*(tmp_path / "src/__generated__").iterdir()]) == 6


def test_codegen_makes_types_of_all_of_it_that_compile(workshop: Path) -> None:
    """Every scalar has a type, and what is made of the whole schema is sound TypeScript."""
    made = workshop / "codegen"
    assert finished(["node", "codegen.mjs", "with_codegen.ts"], folder=workshop) == "", "it warns"
    text = (made / "graphql.ts").read_text()
    assert "input: any" not in text
    assert "output: any" not in text
    config = workshop / "tsconfig.schema.json"
    options = {**STRICT, "skipLibCheck": False, "types": []}
    config.write_text(json.dumps({"compilerOptions": options, "files": ["codegen/graphql.ts"]}))
    assert run(workshop, "tsc", "-p", str(config)) == ""
