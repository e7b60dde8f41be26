import "#infrastructure/platform/plainFibers.ts"
import "effect/schema/SchemaJITCompiler/enable"
import { Context, Effect, Layer } from "effect"
import type * as HttpServerResponse from "effect/http/HttpServerResponse"
import {
  Authorization,
  CurrentAccount,
  CurrentActor,
  OperatorAuthorization,
  ReportCardAuthorization,
} from "#api/Authorization.ts"
import { app } from "#App.ts"
import { readSettings } from "#settings.ts"
import { AccountId, AccountName, type Caller } from "#domain/accounts/Account.ts"
import { actorOf } from "#domain/operations/Audit.ts"
import { Bps } from "#domain/money/Bps.ts"
import { KeyId } from "#domain/accounts/Key.ts"
import { EpochMillis } from "#domain/Time.ts"
import { runMain } from "#infrastructure/platform/runMain.ts"

/** Everybody, whatever key they have. */
const everybody: Caller = {
  id: AccountId.make(1),
  name: AccountName.make("default"),
  commissionBps: Bps.make(0),
  affiliates: true,
  allowedOrigins: "*",
  mcp: true,
  suspended: false,
  createdAt: EpochMillis.make(0),
  keyId: KeyId.make("aaaaaaaaaaaaaaaa"),
  scopes: ["quote"],
  routes: new Map(),
}

const context = Context.make(CurrentAccount, everybody).pipe(Context.add(CurrentActor, actorOf(everybody)))

const letIn = <E, R>(
  answer: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R | CurrentAccount | CurrentActor>,
) => Effect.provideContext(answer, context)

const ways = { apiKeyQuery: letIn, apiKeyHeader: letIn, bearer: letIn }
const unguarded = Layer.merge(
  Layer.succeed(Authorization, ways),
  Layer.succeed(OperatorAuthorization, ways),
).pipe(Layer.merge(Layer.succeed(ReportCardAuthorization, {
  apiKeyQuery: (answer) => answer,
  apiKeyHeader: (answer) => answer,
  bearer: (answer) => answer,
})))

// The service without keys, scopes and limits: only here, to find out what they cost.
runMain(Layer.unwrap(Effect.map(readSettings, (settings) => app(settings, Layer.empty, unguarded))))
