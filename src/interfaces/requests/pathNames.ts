import { Effect, Option, Schema, SchemaAST } from "effect"
import type { HttpApiEndpoint } from "effect/http-api"
import { HttpRouter } from "effect/http"
import { AccountUnknown, KeyUnknown } from "#application/accounts/failures.ts"
import { accountPath, type Named, namedBy } from "#api/endpoint.ts"
import { swapPath } from "#api/SwapRecord.ts"
import { SwapNotFound } from "#domain/swaps/SwapRecord.ts"
import { AffiliateUnknown, WithdrawalUnknown } from "#application/treasury/failures.ts"
import { DeliveryUnknown, WebhookUnknown } from "#application/webhooks/failures.ts"

/** What a text fails as that can be the id of nothing, by what it would name. */
const unknown = {
  account: (name: string) => new AccountUnknown({ name }),
  affiliate: () => new AffiliateUnknown(),
  delivery: () => new DeliveryUnknown(),
  key: (id: string) => new KeyUnknown({ id }),
  swap: () => new SwapNotFound(),
  webhook: () => new WebhookUnknown(),
  withdrawal: () => new WithdrawalUnknown(),
} satisfies Readonly<Record<Named, (text: string) => unknown>>

const readId = <Id, E>(id: Schema.Codec<Id, string>, otherwise: (text: string) => E) => {
  const decode = Schema.decodeOption(id)
  return (text: string): Effect.Effect<Id, E> =>
    Option.match(decode(text), { onNone: () => Effect.fail(otherwise(text)), onSome: Effect.succeed })
}

/** The account of this name. Text that cannot be an account's name fails as an unknown account. */
export const namedAccount = readId(accountPath.name, unknown.account)

/** The swap of this id. Text that cannot be a swap's id fails as an unknown swap. */
export const swapId = readId(swapPath.id, unknown.swap)

const failures: ReadonlyMap<unknown, (text: string) => ReturnType<typeof unknown[Named]>> = new Map(
  Object.entries(unknown),
)

/** Makes an effect that fails where an id in the path can be the id of nothing: as what the first of them names. */
export const requireIds = ({ params }: HttpApiEndpoint.Top) => {
  const members = params !== undefined && SchemaAST.isObjects(params.ast) ? params.ast.propertySignatures : []
  const ids = members.flatMap(({ name, type }) => {
    const id: Schema.Codec<unknown, unknown> = Schema.make(type)
    const failure = failures.get(Schema.resolveAnnotations(id)?.[namedBy])
    return failure === undefined
      ? []
      : [{ name: String(name), read: Schema.decodeUnknownOption(id), failure }]
  })
  return Effect.flatMap(HttpRouter.RouteContext, ({ params }) => {
    const wrong = ids.find(({ name, read }) => Option.isNone(read(params[name])))
    return wrong === undefined ? Effect.void : Effect.fail(wrong.failure(params[wrong.name] ?? ""))
  })
}
