import { Effect, Schema } from "effect"
import { HumanAmount } from "#api/Parameters.ts"
import { integer } from "#api/parameterKinds.ts"
import { DepositCommand, TimeCommand } from "#api/SandboxCommands.ts"
import { EpochMillis } from "#domain/Time.ts"
import { hasIssues, InvalidRequest, issueAbout, type Issues, noIssues } from "#domain/Issues.ts"
import { SandboxUnreachable } from "../../requests/problems.ts"
import { sendControl } from "../../requests/sendControl.ts"
import { defined } from "#infrastructure/platform/optionalMembers.ts"
import { answerBy, argumentsReader, type Asks, type Tool } from "../Tool.ts"
import { findSwap, swapNames } from "./swapSummary.ts"

/** The longest that one call lets pass: longer than any channel is open. */
const mostSeconds = 7 * 86_400

const input = Schema.Struct({
  swapId: swapNames.swapId,
  depositAmount: Schema.optionalKey(HumanAmount.pipe(Schema.annotateEncoded({
    description: "Deposits this amount to the swap of swapId, in human units.",
  }))),
  advanceSeconds: Schema.optionalKey(integer({
    description: "Simulated seconds to let pass, after the deposit.",
    example: "3600",
    issue: `must be a whole number of seconds from 1 to ${mostSeconds}`,
    within: [1, mostSeconds],
  })),
})

const output = Schema.Struct({
  transactionHash: Schema.optionalKey(Schema.String),
  timeMillis: Schema.optionalKey(
    EpochMillis.annotate({ description: "Simulated time, in epoch milliseconds." }),
  ),
})

const write = answerBy(output)
const read = argumentsReader(input)

const issuesOf = ({ advanceSeconds, depositAmount, swapId }: typeof input.Type): Issues => {
  if (depositAmount !== undefined && swapId === undefined) {
    return issueAbout("swapId", "is required for a deposit")
  }
  return depositAmount === undefined && advanceSeconds === undefined
    ? issueAbout("advanceSeconds", "or depositAmount is required, or both")
    : noIssues
}

const depositJson = Schema.encodeSync(Schema.fromJsonString(DepositCommand))
const timeJson = Schema.encodeSync(Schema.fromJsonString(TimeCommand))
const readDeposit = Schema.decodeUnknownEffect(
  Schema.fromJsonString(Schema.Struct({ transactionHash: Schema.String })),
)
const readTime = Schema.decodeUnknownEffect(Schema.fromJsonString(Schema.Struct({ timeMillis: EpochMillis })))

const unreadable = () => new SandboxUnreachable()

/** Acts in the simulated world: deposits to a swap of the account, and lets time pass. */
const performAt = (sandboxUrl: URL) =>
  Effect.fnUntraced(function* (given: unknown) {
    const asked = yield* read(given)
    const errors = issuesOf(asked)
    if (hasIssues(errors)) return yield* new InvalidRequest({ errors })
    const { advanceSeconds, depositAmount, swapId } = asked
    const post = (path: string, text: string) => sendControl("POST", new URL(path, sandboxUrl), text)
    const deposit = Effect.fnUntraced(function* (amount: typeof HumanAmount.Type, id: number) {
      const { status: { depositChannel } } = yield* findSwap({ swapId: id })
      if (depositChannel === undefined) {
        return yield* new InvalidRequest({
          errors: issueAbout("swapId", "is a swap without a deposit channel"),
        })
      }
      const { body } = yield* post(
        "/sandbox/deposits",
        depositJson({ address: depositChannel.depositAddress, amount }),
      )
      return (yield* Effect.mapError(readDeposit(body), unreadable)).transactionHash
    })
    const transactionHash = depositAmount === undefined || swapId === undefined
      ? undefined
      : yield* deposit(depositAmount, swapId)
    const timeMillis = advanceSeconds === undefined ? undefined : (yield* Effect.mapError(
      readTime((yield* post("/sandbox/time", timeJson({ advanceSeconds }))).body),
      unreadable,
    )).timeMillis
    return write(defined({ transactionHash, timeMillis }))
  })

/** The tool that is there in sandbox mode only. */
export const sandboxAdvance = (sandboxUrl: URL): Tool<Asks<ReturnType<typeof performAt>>> => ({
  name: "sandbox_advance",
  title: "Deposit and let time pass in the sandbox",
  description:
    "In simulated networks, where no money moves, makes a simulated deposit to a swap of this account, and lets simulated time pass: " +
    "after a deposit 7200 seconds complete most swaps.",
  scope: "swap",
  effects: "simulates",
  input,
  output,
  perform: performAt(sandboxUrl),
})
