import { type AssetId, findAssetId } from "#domain/chains/Asset.ts"
import { addRows, type CatalogueRows } from "#domain/chains/catalogue/Catalogue.ts"

/**
 * Adds the rows of a provider's definition, as the start of a service does, and gives its assets by their identifiers.
 * Fixtures are made of these: call it first.
 */
export const withRows = (rows: CatalogueRows): (id: string) => AssetId => {
  const faults = addRows(rows)
  if (faults.length > 0) throw new RangeError(faults.join("; "))
  return (id) => {
    const asset = findAssetId(id)
    if (asset === undefined) {
      throw new RangeError(`There is no asset ${id}: its row is missing in the definition`)
    }
    return asset
  }
}
