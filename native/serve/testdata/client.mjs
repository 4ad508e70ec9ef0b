// A client of the TypeScript SDK: configures a broken server through the tools
// and prints what it saw as one JSON object.
//   node client.mjs ERA SERVER
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const [era, server] = process.argv.slice(2);
const { resolve } = createRequire(process.cwd() + "/"); // the packages are where the test installed them
const load = (name) => import(pathToFileURL(resolve(name).replace(/\.cjs$/, ".mjs")));
const { Client } = await load("@modelcontextprotocol/client");
const { StdioClientTransport } = await load("@modelcontextprotocol/client/stdio");

const client = new Client(
  { name: "test", version: "1" },
  { capabilities: { elicitation: { form: {} } }, versionNegotiation: { mode: era === "newer" ? { pin: "2026-07-28" } : "legacy" } },
);
const asked = [];
client.setRequestHandler("elicitation/create", async ({ params }) => {
  asked.push(params.message);
  return { action: "accept", content: {} };
});
await client.connect(new StdioClientTransport({ command: server, env: process.env }));
const { tools } = await client.listTools();
const call = async (name, args) => (await client.callTool({ name, arguments: args })).structuredContent;
const configured = await call("configure_server", { name: "forecast", client: "cursor", command: "npxx", args: ["-y", "@example/weather"], dry_run: false });
const tested = await call("test_connection", { server: "forecast" });
const wrong = await client.callTool({ name: "test_connection", arguments: { sever: "forecast" } });
await client.close();
console.log(JSON.stringify({ tools: tools.length, asked: asked.length, written: configured.written, fixed: configured.healing.fixed, state: tested.state, refused: wrong.isError }));
