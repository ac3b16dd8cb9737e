/** LangChain.js: the chunks of `ChatOpenAI.stream()` put together with `concat`, and `invoke()`. */

import { load, serve } from "../shared/line_protocol.mjs";

process.env.LANGSMITH_TRACING = "false";
const { ChatOpenAI } = await load(() => import("@langchain/openai"));

async function drive(ask, outcome) {
  const { model, messages, tools, tool_choice } = ask.request;
  const chat = new ChatOpenAI({
    model,
    apiKey: ask.api_key,
    maxRetries: 0,
    configuration: { baseURL: ask.base_url },
  });
  const bound = tools ? chat.bindTools(tools, { tool_choice }) : chat;
  let message;
  if (ask.mode === "complete") {
    message = await bound.invoke(messages);
  } else {
    for await (const chunk of await bound.stream(messages)) message = message ? message.concat(chunk) : chunk;
  }
  outcome.content = message.content; // without a chunk this throws, for its users as well
  outcome.finishReason = message.response_metadata?.finish_reason;
  for (const call of message.tool_calls ?? []) outcome.call(call.id, call.name, call.args);
  for (const call of message.invalid_tool_calls ?? []) outcome.refused(call.id, call.name, call.args, call.error);
}

await serve("langchain-js", "@langchain/openai", drive, { packages: ["@langchain/core", "openai"] });
