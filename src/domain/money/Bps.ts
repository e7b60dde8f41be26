import { Schema } from "effect"

/** The whole of an amount, in bps. */
export const mostBps = 10_000

/** Basis points, hundredths of a percent, in whole numbers: 25 bps = 0.25 %. */
export const Bps = Schema.Int
  .check(Schema.isBetween({ minimum: 0, maximum: mostBps }))
  .pipe(Schema.brand("Bps"))
export type Bps = typeof Bps.Type

export const noBps: Bps = Bps.make(0)

/** The share of an amount that `bps` stands for, rounded down (chainflip/wire.md 3.3: all divisions floor). */
export const shareOf = (amount: bigint, bps: number): bigint => amount * BigInt(bps) / 10_000n
