import * as z from 'zod'
import { atMost } from '../base/payload-limits.ts'

/** One script of a tenant, in JavaScript. */
export const ScriptSource = z.string().describe(atMost('scriptBytes'))

const Language = z.literal('javascript').default('javascript')

/** A string is short for `{source}`. Responses hold the canonical form. */
export const Activation = z
  .union([ScriptSource, z.object({ language: Language, source: ScriptSource })], {
    error: 'must be JavaScript or {source}',
  })
  .transform((activation) =>
    typeof activation === 'string' ? { language: 'javascript' as const, source: activation } : activation,
  )
export type Activation = z.output<typeof Activation>
/** The form of an activation in answers. */
export const CanonicalActivation = z.object({ language: z.literal('javascript'), source: ScriptSource })

const OptionalSource = ScriptSource.nullish()

const TransformObject = z.object({
  language: Language,
  rawSource: OptionalSource,
  humanSource: OptionalSource,
  source: OptionalSource,
  raw: OptionalSource,
  human: OptionalSource,
})

/** A string is short for `{source}`, `{raw, human}` for `{rawSource, humanSource}`. */
export const Transform = z
  .union([ScriptSource, TransformObject], { error: 'must be JavaScript, {source} or {rawSource, humanSource}' })
  .transform((transform) =>
    canonicalTransform(typeof transform === 'string' ? { language: 'javascript', source: transform } : transform),
  )
  .superRefine((transform, context) => {
    const isWhole = transform.source !== undefined
    const isSplit = transform.rawSource !== undefined || transform.humanSource !== undefined
    if (isWhole && isSplit) context.addIssue('has both source and rawSource or humanSource; give one form')
    if (!isWhole && !isSplit) context.addIssue('needs source or rawSource')
  })
export type Transform = z.output<typeof Transform>

/** The form of a transform in answers. */
export const CanonicalTransform = z.object({
  language: z.literal('javascript'),
  rawSource: ScriptSource.optional(),
  humanSource: ScriptSource.optional(),
  source: ScriptSource.optional(),
})

function canonicalTransform(sent: z.output<typeof TransformObject>): z.output<typeof CanonicalTransform> {
  const rawSource = sent.rawSource ?? sent.raw
  const humanSource = sent.humanSource ?? sent.human
  return {
    language: sent.language,
    ...(typeof rawSource === 'string' && { rawSource }),
    ...(typeof humanSource === 'string' && { humanSource }),
    ...(typeof sent.source === 'string' && { source: sent.source }),
  }
}
