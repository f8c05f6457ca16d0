import * as z from 'zod'

export const SearchKind = z.enum([
  'workspace',
  'project',
  'trigger',
  'resource',
  'subscription',
  'source',
  'address-list',
  'address',
  'alert',
])
export type SearchKind = z.infer<typeof SearchKind>
export const SearchQuery = z.object({
  q: z.string().trim().min(1).max(100),
  workspace: z.string().max(255).optional(),
  /** How many results of each kind. */
  limit: z.coerce.number().int().min(1).max(20).default(5),
})
/** `name` finds the entity: its fullname, or the id of a subscription, an address or an alert. */
export const SearchResult = z
  .object({
    kind: SearchKind,
    name: z.string(),
    title: z.string().optional(),
    /** Absent for built-in networks and addresses, which belong to no workspace. */
    workspace: z.string().optional(),
  })
  .meta({ id: 'SearchResult' })

/** An alert comes first, then what begins with the text, then what contains it. Built-in networks come last. */
export const SearchReply = z.object({ results: z.array(SearchResult) }).meta({ id: 'SearchReply' })
