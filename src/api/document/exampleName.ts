/** The one name of all examples: Scalar sends those of this name, and what one page shows together has to agree. */
export const exampleName = "default"
