import * as z from 'zod'
import { atMost } from './payload-limits.ts'

/** Schemas that several nouns share: times, tags, labels, links, pages of lists. */

export const Time = z.iso.datetime().meta({ id: 'Time', description: 'ISO-8601 in UTC with milliseconds' })
/** The domain checks how a name is built and how long it may be. This limit only refuses absurd input. */
export const Fullname = z.string().min(1).max(1024)
export const Title = z.string().trim().min(1).max(200)
export const Description = z.string().max(20_000)
export const Tags = z.array(z.string().min(1).max(64)).describe(atMost('tags'))
export const Labels = z.record(z.string().min(1).max(128), z.string().max(1024)).describe(atMost('labels'))
export const Tagging = { tags: Tags.default([]), labels: Labels.default({}) }
export const Tagged = { tags: z.array(z.string()), labels: z.record(z.string(), z.string()) }
/** Kinds without labels of their own show the label of their stack. */
export const StackMark = { labels: z.record(z.string(), z.string()).optional() }
export const Stamped = { createdAt: Time, updatedAt: Time }

const isHttpUrl = (text: string) => /^https?:\/\//i.test(text) && URL.canParse(text)

/** The URL of a web page, or of an image that this service stores. */
export const AssetUrl = z
  .string()
  .max(2048)
  .refine(
    (text) => isHttpUrl(text) || /^\/api\/[\w./~-]+$/.test(text),
    'must be an http(s) URL or an uploaded asset URL',
  )
export const HttpUrl = z.string().max(2048).refine(isHttpUrl, 'must be an http(s) URL')

export const IssueView = z.object({ path: z.string(), message: z.string() }).meta({ id: 'Issue' })
export const OperationResult = z.object({ ok: z.literal(true) }).meta({ id: 'OperationResult' })
export const FreeForm = z.record(z.string(), z.unknown())

export const ListQuery = z.object({
  limit: z.coerce.number().int().min(1).max(1000).default(1000),
  cursor: z.string().max(1024).optional(),
})
/** A date-time from a caller. It must have a zone, because without one its meaning would depend on the machine. */
export const DateTime = z.iso.datetime({
  offset: true,
  error: 'must be an ISO date-time with a zone, such as 2026-01-31T12:00:00Z',
})
export const Email = z.string().trim().max(254).pipe(z.email())
