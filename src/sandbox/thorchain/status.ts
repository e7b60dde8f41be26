import { blockMillis, coinOf } from "./engine/prices.ts"
import type { Outbound, Payment, Vaults } from "./engine/State.ts"
import { findPayment } from "./engine/Vaults.ts"
import { asTold } from "./families.ts"
import { told } from "./told.ts"

/** `GET /tx/status/{hash}` (thorchain/wire.md 7). */

const coin = ({ amount, asset, decimals }: Pick<Outbound, "amount" | "asset" | "decimals">) =>
  told({ asset, amount: `${amount}`, decimals })

const outMemo = ({ isRefund }: Outbound, { id }: Payment): string => `${isRefund ? "REFUND" : "OUT"}:${id}`

const outTx = (vaults: Vaults, payment: Payment, outbound: Outbound) => ({
  id: outbound.id,
  chain: outbound.chain,
  from_address: outbound.chain === vaults.family.nativeChain ? vaults.family.module : asTold(payment.vault),
  to_address: asTold(outbound.to),
  coins: [coin(outbound)],
  gas: [],
  memo: outMemo(outbound, payment),
})

const planned = (outbound: Outbound) => ({
  chain: outbound.chain,
  to_address: asTold(outbound.to),
  coin: coin(outbound),
  refund: outbound.isRefund,
})

/** The stages of a payment; those that do not apply are absent. */
const stagesOf = (vaults: Vaults, payment: Payment) => {
  const { ask, count, dueAt, isFinalised, isSeen, isSwapped, quantity } = payment
  const observed = told({ pre_confirmation_count: isFinalised ? 0 : 60, final_count: 103, completed: true })
  const counted = { remaining_confirmation_seconds: 0, completed: true }
  if (!isFinalised) {
    return {
      inbound_observed: observed,
      inbound_finalised: { completed: false },
      swap_status: { pending: false },
      ...(ask === undefined ? {} : { swap_finalised: { completed: false } }),
    }
  }
  const isPending = !isSwapped
  const streaming = isPending && quantity > 1
    ? { streaming: told({ interval: ask?.streaming?.interval, quantity, count }) }
    : {}
  const left = dueAt === undefined ? 0 : Math.max(0, dueAt - vaults.time)
  return {
    inbound_observed: observed,
    inbound_confirmation_counted: counted,
    inbound_finalised: { completed: true },
    swap_status: { pending: isPending, ...streaming },
    ...(ask === undefined ? {} : { swap_finalised: { completed: !isPending } }),
    ...(dueAt === undefined ? {} : {
      outbound_delay: told({
        remaining_delay_blocks: Math.ceil(left / blockMillis),
        remaining_delay_seconds: Math.ceil(left / 1_000),
        completed: left === 0,
      }),
      outbound_signed: { completed: isSeen },
    }),
  }
}

/** What a node says of a transaction; of one that it has not seen, that nothing is known. */
export const statusOf = (vaults: Vaults, id: string): unknown => {
  const payment = findPayment(vaults, id.toUpperCase())
  if (payment === undefined) {
    return { stages: { inbound_observed: { started: false, final_count: 0, completed: false } } }
  }
  const { amount, asset, chain, memo, outbounds, sender, vault } = payment
  const sent = outbounds.filter(({ id }) => id !== undefined)
  return {
    tx: {
      id: payment.id,
      chain: vaults.family.chains[chain],
      from_address: asTold(sender),
      to_address: asTold(vault),
      coins: [told({ ...coinOf(vaults, asset), amount: `${amount}` })],
      gas: [],
      memo,
    },
    ...(outbounds.length === 0 ? {} : { planned_out_txs: outbounds.map(planned) }),
    ...(sent.length === 0 ? {} : { out_txs: sent.map((outbound) => outTx(vaults, payment, outbound)) }),
    stages: stagesOf(vaults, payment),
  }
}
