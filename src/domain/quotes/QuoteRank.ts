import { Schema, Struct } from "effect"

/** Rank policies. Each sorts by one figure, equals in the order of `net`; a version never changes one. */
export const rankPolicies = {
  net: {
    name: "net-output@1",
    sortsBy:
      "The most output net of every fee that a provider states (egressAmountNative), for the same output the least input " +
      "(ingressAmountNative); then regular before DCA, then the operator's order. The cost of making the deposit is the same for every quote of a response, so it changes no order.",
  },
  fastest: {
    name: "fastest@1",
    sortsBy: "The least estimated time, as the provider states it; then as net-output@1.",
  },
  guaranteed: {
    name: "guaranteed@1",
    sortsBy:
      "The highest minimum that a price limit enforces, at one slippage tolerance for all: the largest that a " +
      "provider of the response recommends; then as net-output@1. The minimum is the output less the tolerance's share of what the " +
      "whole amount comes to at estimatedPrice.",
  },
  reliable: {
    name: "reliable@2",
    sortsBy:
      "The highest output × lower bound of the share of swaps that completed; quotes without a bound after all " +
      "others; then as net-output@1. The cost of making the deposit is not in it: it is paid however the swap ends.",
  },
} as const

export const RankBy = Schema.Literals(Struct.keys(rankPolicies))
export type RankBy = typeof RankBy.Type

export const RankPolicy = Schema.Literals(Object.values(rankPolicies).map(({ name }) => name))
export type RankPolicy = typeof RankPolicy.Type

/** Why a quote stands where it does; `deposit_cost_…` says what is counted for making the deposit. */
export const RankReason = Schema.Literals([
  "first",
  "only_offer",
  "less_output",
  "more_input",
  "slower",
  "lower_minimum",
  "less_reliable",
  "fewer_than_20_swaps",
  "regular_before_dca",
  "operators_order",
  "preferred_provider",
  "deposit_cost_unknown",
  "deposit_cost_deducted",
  "deposit_cost_over_half",
])
export type RankReason = typeof RankReason.Type
