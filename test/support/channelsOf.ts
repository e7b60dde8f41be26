import type { Channels, Provider } from "#providers/Provider.ts"

/** The channels of a provider that has to have them; a defect where it has none. */
export const channelsOf = ({ channels, name }: Provider): Channels => {
  if (channels === undefined) throw new Error(`${name} opens no deposit channels`)
  return channels
}
