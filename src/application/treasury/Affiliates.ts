import { Effect, Option, Result } from "effect"
import { service } from "#infrastructure/platform/service.ts"
import { AffiliateNames } from "../accounts/AffiliateNames.ts"
import { type Address, checkRecipient } from "#domain/chains/Address.ts"
import type { AffiliateName, NamedAffiliate } from "#domain/accounts/Affiliate.ts"
import { chainOf } from "#domain/chains/Asset.ts"
import type { Actor } from "#domain/operations/Audit.ts"
import type { Network } from "#domain/chains/Chain.ts"
import { InvalidRequest, issueAbout, type Issues } from "#domain/Issues.ts"
import { mayHaveOpened } from "#domain/ProviderError.ts"
import type { AffiliateAccount, OperatorAccount } from "#domain/operations/Treasury.ts"
import { currentMillis } from "#infrastructure/platform/currentMillis.ts"
import { defined, optionalMembers } from "#infrastructure/platform/optionalMembers.ts"
import type { Affiliates as AffiliatesPort } from "#providers/Provider.ts"
import { AuditRepo } from "#infrastructure/store/accounts/AuditRepo.ts"
import { AffiliatesRepo } from "#infrastructure/store/treasury/AffiliatesRepo.ts"
import { BalanceReadsRepo } from "#infrastructure/store/treasury/BalanceReadsRepo.ts"
import { isSameAddress } from "./destination.ts"
import { BalanceUnavailable, CannotOrder, TreasuryUnknown } from "./failures.ts"
import { BalanceReads, failureText, type TreasuryProvider } from "./BalanceReads.ts"

/** An affiliate to name: one to register for this address, or one that the upstream knows already by its account. */
export interface NewAffiliate {
  readonly provider: string
  readonly name: AffiliateName
  readonly withdrawalAddress?: string
  readonly account?: string
}

/** An affiliate of ours: its name, if it has one, with what the upstream says of it, if it was seen. */
export interface AffiliateStanding {
  readonly platform: NamedAffiliate["platform"]
  readonly named?: NamedAffiliate
  readonly seen?: AffiliateAccount
}

const refuse = (detail: string) => new CannotOrder({ detail })
const invalid = (errors: Issues) => new InvalidRequest({ errors })

/** Accounts that share in the operator's commission, and the names under which requests know them. */
export class Affiliates extends service<Affiliates>()(
  "swap-broker/treasury/Affiliates",
  ({ networks }: { readonly networks: ReadonlyArray<Network> }) =>
    Effect.gen(function* () {
      const { look, treasurers } = yield* BalanceReads
      const names = yield* AffiliateNames
      const audit = yield* AuditRepo
      const repo = yield* AffiliatesRepo
      const looks = yield* BalanceReadsRepo

      const registryOf = Effect.fnUntraced(function* (provider: string) {
        const treasurer = (yield* treasurers).find(({ name }) => name === provider)
        if (treasurer === undefined) return yield* new TreasuryUnknown()
        const { affiliates } = treasurer.treasury
        if (affiliates === undefined) return yield* refuse(`${provider} registers no affiliates`)
        return { treasurer, affiliates }
      })

      const seen = (treasurer: TreasuryProvider) =>
        Effect.catchTag(
          look(treasurer),
          "ProviderError",
          () => Effect.fail(new BalanceUnavailable({ provider: treasurer.name })),
        )

      /** The accounts for an address that have no name. */
      const unnamed = Effect.fnUntraced(function* (
        { affiliates }: OperatorAccount,
        { asset }: AffiliatesPort,
        address: Address,
      ) {
        const taken = new Set((yield* repo.all).map(({ account }) => account))
        return affiliates.filter(({ account, withdrawalAddress }) =>
          !taken.has(account) && isSameAddress(chainOf(asset), withdrawalAddress, address)
        )
      })

      const recorded = (affiliate: NamedAffiliate, actor: Actor) =>
        audit.recorded("Affiliates.add", { actor, at: affiliate.registeredAt }, function* () {
          const isAdded = yield* repo.add(affiliate)
          const { account, name, platform, withdrawalAddress } = affiliate
          const after = { name, withdrawalAddress, ...defined({ account }) }
          return { value: isAdded, changes: isAdded ? [{ action: "affiliate.named", platform, after }] : [] }
        })

      const settled = Effect.fnUntraced(function* (waiting: NamedAffiliate, account: string) {
        yield* repo.settle(waiting.name, account)
        yield* names.forget
        return { ...waiting, account }
      })

      const nameKnown = Effect.fnUntraced(function* (
        { name }: NewAffiliate,
        account: string,
        treasurer: TreasuryProvider,
        by: Actor,
      ) {
        const known = (yield* seen(treasurer)).affiliates.find((one) => one.account === account)
        if (known === undefined) {
          return yield* invalid(issueAbout("account", `is no affiliate that ${treasurer.name} knows`))
        }
        const affiliate: NamedAffiliate = {
          name,
          platform: treasurer.name,
          account,
          withdrawalAddress: known.withdrawalAddress,
          registeredAt: yield* currentMillis,
        }
        if (!(yield* recorded(affiliate, by))) {
          return yield* refuse(`${name} or ${account} has a name already`)
        }
        yield* names.forget
        return affiliate
      })

      /** Looks for the account of a registration whose answer was lost. */
      const lookFor = Effect.fnUntraced(function* (
        waiting: NamedAffiliate,
        treasurer: TreasuryProvider,
        port: AffiliatesPort,
      ) {
        const found = yield* unnamed(yield* seen(treasurer), port, waiting.withdrawalAddress)
        const [only, ...more] = found
        if (only !== undefined && more.length === 0) return yield* settled(waiting, only.account)
        return yield* refuse(
          only === undefined
            ? `It is not known whether ${waiting.name} was registered, and no account has appeared: ask again later`
            : `Several accounts have this address and no name: name the right one by its account`,
        )
      })

      const register = Effect.fnUntraced(function* (
        waiting: NamedAffiliate,
        treasurer: TreasuryProvider,
        port: AffiliatesPort,
      ) {
        const answer = yield* Effect.result(port.register(waiting.withdrawalAddress))
        if (Result.isSuccess(answer)) {
          const { account, withdrawalAddress } = answer.success
          if (isSameAddress(chainOf(port.asset), withdrawalAddress, waiting.withdrawalAddress)) {
            return yield* settled(waiting, account)
          }
          return yield* refuse(
            `The upstream says that it registered ${withdrawalAddress}, and not ${waiting.withdrawalAddress}: ` +
              `${waiting.name} stands for no account`,
          )
        }
        const { failure } = answer
        if (mayHaveOpened(failure.reason)) {
          return yield* refuse(
            `${treasurer.name} did not answer, and may have registered ${waiting.name}: ask again with the same ` +
              "name and address, which looks for the account",
          )
        }
        yield* repo.remove(waiting.name)
        return yield* refuse(`${treasurer.name} registered nothing: ${failureText(failure)}`)
      })

      const nameNew = Effect.fnUntraced(function* (
        { name, withdrawalAddress = "" }: NewAffiliate,
        treasurer: TreasuryProvider,
        port: AffiliatesPort,
        by: Actor,
      ) {
        const address = yield* Effect.fromResult(Result.mapError(
          checkRecipient(chainOf(port.asset), networks, withdrawalAddress),
          (predicate) => invalid(issueAbout("withdrawalAddress", predicate)),
        ))
        const waiting: NamedAffiliate = {
          name,
          platform: treasurer.name,
          withdrawalAddress: address,
          registeredAt: yield* currentMillis,
        }
        // Of an address that an account without a name has already, a lost answer could not be told apart.
        const known = yield* repo.find(name)
        if (Option.isSome(known)) {
          const isSame = known.value.platform === treasurer.name &&
            isSameAddress(chainOf(port.asset), known.value.withdrawalAddress, address)
          if (!isSame) return yield* refuse(`${name} is the name of another affiliate`)
          return known.value.account === undefined
            ? yield* lookFor(known.value, treasurer, port)
            : known.value
        }
        const [other] = yield* unnamed(yield* seen(treasurer), port, address)
        if (other !== undefined) {
          return yield* refuse(`${other.account} is registered with this address: name it by its account`)
        }
        if (!(yield* recorded(waiting, by))) return yield* refuse(`${name} is being registered: ask again`)
        return yield* register(waiting, treasurer, port)
      })

      /**
       * Names an affiliate, registering it first where no account is given. The name is taken before the upstream is asked;
       * where its answer is lost, the name waits, and asking again with it and the same address looks for the account.
       */
      const add = Effect.fn("Affiliates.add")(function* (affiliate: NewAffiliate, by: Actor) {
        const { affiliates, treasurer } = yield* registryOf(affiliate.provider)
        const { account, withdrawalAddress } = affiliate
        if ((account === undefined) === (withdrawalAddress === undefined)) {
          return yield* invalid(
            issueAbout("withdrawalAddress", "is needed to register an affiliate, or else the account of one"),
          )
        }
        return account === undefined
          ? yield* Effect.uninterruptible(nameNew(affiliate, treasurer, affiliates, by))
          : yield* nameKnown(affiliate, account, treasurer, by)
      })

      /** Those with a name, and those without one that the upstreams know. */
      const all = Effect.gen(function* () {
        const named = yield* repo.all
        const known = yield* Effect.forEach(
          yield* treasurers,
          ({ name }) =>
            Effect.map(
              looks.latest(name),
              ({ seen }) => (seen?.account.affiliates ?? []).map((seen) => ({ platform: name, seen })),
            ),
        )
        const seenOf = ({ account, platform }: NamedAffiliate) =>
          known.flat().find((one) => one.platform === platform && one.seen.account === account)?.seen
        const accounts = new Set(named.map(({ account, platform }) => `${platform} ${account}`))
        const standings: ReadonlyArray<AffiliateStanding> = [
          ...named.map((named) => ({
            platform: named.platform,
            named,
            ...optionalMembers(seenOf(named), (seen) => ({ seen })),
          })),
          ...known.flat().filter(({ platform, seen }) => !accounts.has(`${platform} ${seen.account}`)),
        ]
        return standings
      }).pipe(Effect.withSpan("Affiliates.all"))

      return { all, add }
    }),
) {}
