import * as z from 'zod'
import { FreeForm, Fullname, Tagging } from '../base/common.ts'
import { loose } from '../base/loose.ts'
import { atMost } from '../base/payload-limits.ts'
import { safeJson } from '../base/safe-json.ts'
import { TriggerConditions } from './conditions.ts'
import { Provider } from './providers/index.ts'
import { FiltersSchema, InputsSchema, OutputSchema } from './schemas.ts'
import { Activation, Transform } from './scripts.ts'
import { bindingsMax, SourceBinding, SourceBindings } from './source-bindings.ts'
import { Backend, Defaults, ExecutionPolicy, TriggerMeta, TriggerStatusSave } from './trigger-parts.ts'
import { TriggerSpec } from './trigger-spec.ts'

const named = {
  name: Fullname,
  fullname: Fullname,
  project: Fullname,
  workspace: Fullname,
  meta: TriggerMeta,
  ...Tagging,
  status: TriggerStatusSave.nullish(),
}

/** Every field of a trigger definition, in its canonical form. */
export const TriggerFields = z.object({
  ...named,
  backend: Backend,
  inputs: InputsSchema,
  defaults: Defaults.optional(),
  triggerSpec: TriggerSpec.nullable().default(null),
  /** The sources of a trigger on several sources. The dataSource of its triggerSpec is one of them. */
  sourceBindings: SourceBindings.optional(),
  providers: z.array(Provider).describe(atMost('providers')).default([]),
  filtersSchema: FiltersSchema.optional(),
  outputSchema: OutputSchema.optional(),
  transform: Transform.nullable().default(null),
  activation: Activation.nullable().default(null),
  /** Checked where the activation is; both must hold. */
  conditions: TriggerConditions.nullish(),
  executionPolicy: ExecutionPolicy.nullable().default(null),
})

/** The payload of a save. The schema checks its form; the server also checks scripts, ABIs and templates. */
export const TriggerSave = safeJson(TriggerFields.describe(atMost('triggerBytes')))
export type TriggerSave = z.output<typeof TriggerSave>

/**
 * A draft is unfinished: its fields have the right types and respect the limits, but a provider may lack its url or a
 * spec its source. The parts that are well-formed are returned in canonical form.
 */
const DraftFields = z.object({
  ...named,
  backend: Backend,
  inputs: FreeForm,
  defaults: unfinished(Defaults).optional(),
  triggerSpec: unfinished(TriggerSpec).nullable().default(null),
  sourceBindings: z.array(unfinished(SourceBinding)).max(bindingsMax).optional(),
  providers: z.array(unfinished(Provider)).describe(atMost('providers')).default([]),
  filtersSchema: FreeForm.optional(),
  outputSchema: FreeForm.optional(),
  transform: unfinishedScript(Transform).nullable().default(null),
  activation: unfinishedScript(Activation).nullable().default(null),
  conditions: unfinished(TriggerConditions).nullish(),
  executionPolicy: unfinished(ExecutionPolicy).nullable().default(null),
})

export const TriggerDraftSave = safeJson(DraftFields.describe(atMost('triggerBytes')))
export type TriggerDraftSave = z.output<typeof TriggerDraftSave>

/** What a validation takes. It answers every mistake as an issue, so nothing is refused before. */
export const AnyDefinition = z.unknown().describe('A definition as in a save, with any mistakes')

/** An object in the schema's canonical form if it fits the schema, otherwise as sent. */
export function unfinished<S extends z.ZodType>(schema: S) {
  return loose(schema).transform((sent): z.output<S> | Record<string, unknown> => {
    const whole = schema.safeParse(sent)
    return whole.success ? whole.data : sent
  })
}

/** The same for scripts, whose short form is a string. */
export function unfinishedScript<S extends z.ZodType>(schema: S) {
  return z
    .union([z.string(), FreeForm], { error: 'must be JavaScript or an object with JavaScript' })
    .transform((sent): z.output<S> | Record<string, unknown> => {
      const whole = schema.safeParse(sent)
      if (whole.success) return whole.data
      return typeof sent === 'string' ? { language: 'javascript', source: sent } : sent
    })
}
