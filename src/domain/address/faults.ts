/*
 * What can be wrong with addresses of several chains, as clauses that complete "This … address cannot be
 * used: ".
 */

export const checksumFault = "its checksum does not match; check it for a typing error"

export const lengthFault = "it has the wrong length; check that all of it was copied"

/** Names the first character that matches `foreign`, which must not occur. */
export const foreignCharacterFault = (text: string, foreign: RegExp): string | undefined => {
  const found = foreign.exec(text)
  return found === null
    ? undefined
    : `it contains ${JSON.stringify(found[0])}, a character that is never in one`
}
