import { assert, it } from "@effect/vitest"
import { Effect, Equal, Option } from "effect"
import { formatChannelId } from "../../../src/domain/Channel.ts"
import { mayHaveOpened } from "../../../src/domain/ProviderError.ts"
import { assertOpened } from "./assertOpened.ts"
import { assertErrorOf, errorOf, inItsOwnWorld, type Kit, notEnough } from "./kit.ts"
import { toStatus } from "../../support/toStatus.ts"
import { channelsOf } from "../../support/channelsOf.ts"

const opensChannel = <R, E>(kit: Kit<R, E>): void =>
  it.effect("opens a channel, with a waiting record that has all of the request in it", () =>
    inItsOwnWorld(kit, (provider, upstream) =>
      Effect.gen(function* () {
        const { networks, request } = kit.fixtures
        const opened = yield* channelsOf(provider).open(request)
        yield* assertOpened(opened, request, networks)
        assert.strictEqual(yield* upstream.openings, 1)
      })))

const findsItAgain = <R, E>(kit: Kit<R, E>): void =>
  it.effect("finds the channel again by its coordinates", () =>
    inItsOwnWorld(kit, (provider) =>
      Effect.gen(function* () {
        const { channel, status } = yield* channelsOf(provider).open(kit.fixtures.request)
        const found = yield* Effect.flatMap(
          toStatus(channelsOf(provider).status(channel.id, status)),
          Effect.fromOption,
        )
          .pipe(
            Effect.orDie,
          )
        assert.strictEqual(found.state, "waiting")
        assert.strictEqual(found.depositChannel?.depositAddress, channel.depositAddress)
        assert.strictEqual(found.destinationAddress, status.destinationAddress)
        assert.isTrue(Equal.equals(found.fillOrKill?.minimumPrice, status.fillOrKill?.minimumPrice))
      })))

const opensEachTime = <R, E>(kit: Kit<R, E>): void =>
  it.effect("opens a channel of its own for each of two requests that are the same", () =>
    inItsOwnWorld(kit, (provider, upstream) =>
      Effect.gen(function* () {
        const first = yield* channelsOf(provider).open(kit.fixtures.request)
        const second = yield* channelsOf(provider).open(kit.fixtures.request)
        assert.notStrictEqual(formatChannelId(second.channel.id), formatChannelId(first.channel.id))
        assert.notStrictEqual(second.channel.depositAddress, first.channel.depositAddress)
        assert.strictEqual(yield* upstream.openings, 2)
      })))

const sendsOnce = <R, E>(kit: Kit<R, E>): void =>
  it.effect("sends an opening once, though its answer is lost, and says that it may have happened", () =>
    inItsOwnWorld(kit, (provider, upstream) =>
      Effect.gen(function* () {
        yield* upstream.loseAnswers
        const error = yield* errorOf(channelsOf(provider).open(kit.fixtures.request))
        assertErrorOf(error, kit.fixtures.platform, "open")
        assert.isTrue(mayHaveOpened(error.reason), error.reason._tag)
        assert.strictEqual(yield* upstream.openings, 1)
      })))

const refusesTooLittle = <R, E>(kit: Kit<R, E>): void =>
  it.effect("opens nothing for too little", () =>
    inItsOwnWorld(kit, (provider, upstream) =>
      Effect.gen(function* () {
        const [{ tooLittle }] = kit.fixtures.offers
        const error = yield* errorOf(
          channelsOf(provider).open({ ...kit.fixtures.request, amount: tooLittle }),
        )
        assertErrorOf(error, kit.fixtures.platform, "open")
        assert.include(notEnough, error.reason._tag)
        assert.strictEqual(yield* upstream.openings, 0)
      })))

const knowsNoStranger = <R, E>(kit: Kit<R, E>): void =>
  it.effect("knows nothing of a channel that was never opened", () =>
    inItsOwnWorld(kit, (provider) =>
      Effect.gen(function* () {
        const { channel, status } = yield* channelsOf(provider).open(kit.fixtures.request)
        const { depositChannel } = status
        const id = { ...channel.id, channelId: channel.id.channelId + 1 }
        const depositAddress = kit.fixtures.strangersAddress
        const found = yield* channelsOf(provider).status(id, {
          ...status,
          ...depositChannel === undefined
            ? {}
            : { depositChannel: { ...depositChannel, id, depositAddress } },
        })
        assert.isTrue(Option.isNone(found))
      })))

/** Channels: opened when asked, as often as asked, and found again. */
export const openings = <R, E>(kit: Kit<R, E>): void => {
  opensChannel(kit)
  findsItAgain(kit)
  opensEachTime(kit)
  sendsOnce(kit)
  refusesTooLittle(kit)
  knowsNoStranger(kit)
}
