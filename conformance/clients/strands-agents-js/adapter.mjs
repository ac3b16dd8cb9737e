/** Strands Agents for JavaScript: one turn of an `Agent`, which runs the tools; it always streams. */

import { load, serve } from "../shared/line_protocol.mjs";

const { Agent, tool } = await load(() => import("@strands-agents/sdk"));
const { OpenAIModel } = await load(() => import("@strands-agents/sdk/models/openai"));
const { z } = await load(() => import("zod"));

const REGULAR_ENDS = new Set(["endTurn", "toolUse", "limitTurns"]);

/** One of the case's tools, checked by zod as in its documentation; it writes down that it was run. */
function recording({ name, description, parameters }, outcome) {
  const callback = (input, context) => {
    outcome.call(context.toolUse.toolUseId, name, input);
    return "done";
  };
  return tool({ name, description: description ?? name, inputSchema: z.fromJSONSchema(parameters), callback });
}

async function drive(ask, outcome) {
  const { model: modelId, messages, tools } = ask.request;
  const clientConfig = { baseURL: ask.base_url, maxRetries: 0 };
  const agent = new Agent({
    model: new OpenAIModel({ api: "chat", modelId, apiKey: ask.api_key, clientConfig }),
    tools: (tools ?? []).map((one) => recording(one.function, outcome)),
    retryStrategy: null,
    printer: false,
  });
  const { stopReason } = await agent.invoke(messages.at(-1).content, { limits: { turns: 1 } });
  outcome.finishReason = stopReason === "limitTurns" ? "toolUse" : stopReason; // it stops there for our limit alone
  report(agent.messages, stopReason, outcome);
}

/** Text, and the calls of the answer that were not run: the agent tells the model why, as the tool's result. */
function report(messages, stopReason, outcome) {
  const blocks = messages.filter(({ role }) => role !== "user").flatMap(({ content }) => content);
  const results = messages.flatMap(({ content }) => content).filter(({ type }) => type === "toolResultBlock");
  for (const block of blocks) {
    if (block.type === "textBlock") outcome.content = (outcome.content ?? "") + block.text;
    if (block.type !== "toolUseBlock") continue;
    const result = results.find(({ toolUseId }) => toolUseId === block.toolUseId);
    const refuse = (why) => outcome.refused(block.toolUseId, block.name, block.input, why);
    if (result?.status === "error") refuse(result.content.map(({ text }) => text).join(" "));
    if (!result && !REGULAR_ENDS.has(stopReason)) refuse(`not run; stop reason ${stopReason}`);
  }
}

await serve("strands-agents-js", "@strands-agents/sdk", drive, { packages: ["openai"], modes: ["stream"] });
