import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import {
  DepositAccepted,
  DepositCommand,
  FaultRule,
  FaultsView,
  NetworkCommand,
  SandboxView,
  TimeCommand,
  TimeView,
} from "../domain/SandboxControl.ts"
import { VaultSwapCommand } from "../domain/SandboxVaultSwap.ts"
import { about } from "./about.ts"
import { Authorization } from "./Authorization.ts"
import { BadRequest, ServiceUnavailable } from "./Problems.ts"

const error = [BadRequest, ServiceUnavailable] as const

/** The controls of the simulated networks; only in sandbox mode. */
export class SandboxGroup extends HttpApiGroup.make("sandbox").add(
  HttpApiEndpoint.get("view", "/sandbox", { success: SandboxView, error })
    .annotateMerge(
      about(
        "getSandbox",
        "Simulated time, pools, open channels and faults",
        "The simulated world as it is now. Only in sandbox mode.",
      ),
    ),
  HttpApiEndpoint.post("deposit", "/sandbox/deposits", {
    payload: DepositCommand,
    success: DepositAccepted.pipe(HttpApiSchema.status(202)),
    error,
  }).annotateMerge(
    about(
      "createSandboxDeposit",
      "Send a deposit to an open channel",
      "Pays to the deposit address of a channel or an order, as a user would; simulated blocks confirm " +
        "it. Only in sandbox mode.",
    ),
  ),
  HttpApiEndpoint.post("vaultSwap", "/sandbox/vault-swaps", {
    payload: VaultSwapCommand,
    success: DepositAccepted.pipe(HttpApiSchema.status(202)),
    error,
  }).annotateMerge(
    about(
      "createSandboxVaultSwap",
      "Send a transaction that was made of an answer of `/tx-payload/*`",
      "Sends the transaction that a user would sign of a payload. Only in sandbox mode.",
    ),
  ),
  HttpApiEndpoint.post("time", "/sandbox/time", { payload: TimeCommand, success: TimeView, error })
    .annotateMerge(
      about(
        "advanceSandboxTime",
        "Travel in time",
        "Simulated time goes forward at once: blocks pass, swaps go on, channels expire. Only in " +
          "sandbox mode.",
      ),
    ),
  HttpApiEndpoint.put("setFaults", "/sandbox/faults", { payload: FaultRule, success: FaultsView, error })
    .annotateMerge(
      about(
        "setSandboxFault",
        "Let an upstream misbehave",
        "Every failure that an upstream can have, on its own wire, to test a client with. Only in " +
          "sandbox mode.",
      ),
    ),
  HttpApiEndpoint.delete("clearFaults", "/sandbox/faults", { success: FaultsView, error })
    .annotateMerge(
      about(
        "clearSandboxFaults",
        "Let the upstreams behave again",
        "All faults end; what they did to swaps stays. Only in sandbox mode.",
      ),
    ),
  HttpApiEndpoint.patch("network", "/sandbox/network", {
    payload: NetworkCommand,
    success: SandboxView,
    error,
  }).annotateMerge(
    about(
      "changeSandbox",
      "Change the simulated world",
      "Prices, depths, maintenance, rejected deposits and other conditions that make swaps go wrong on " +
        "a real network. Only in sandbox mode.",
    ),
  ),
).middleware(Authorization).annotateMerge(
  OpenApi.annotations({ title: "Sandbox", description: "Simulated networks. No money moves here." }),
) {}
