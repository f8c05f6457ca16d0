import * as z from 'zod'
import { Description, HttpUrl, Title } from '../base/common.ts'
import { OutputConditions } from './conditions.ts'

const runbookBytesMax = 16 * 1024

/** `runbook` says what to do: the URL of a page, which messages link to, or a text in Markdown. */
export const TriggerMeta = z.object({
  title: Title,
  description: Description.optional(),
  runbook: z
    .string()
    .trim()
    .min(1)
    .refine((text) => new TextEncoder().encode(text).length <= runbookBytesMax, 'must have at most 16 KiB')
    .refine((text) => !/^https?:\/\/\S*$/i.test(text) || isWebPage(text), 'must be a URL of at most 2,048 characters')
    .describe('What to do when it fires: the URL of a page, which messages link to, or a text in Markdown.')
    .optional(),
})
export type TriggerMeta = z.output<typeof TriggerMeta>

/** True for a runbook that is the URL of a page. */
export function isWebPage(runbook: string): boolean {
  return HttpUrl.safeParse(runbook).success && !/\s/.test(runbook)
}

/** The run-time limits of a trigger. An unknown key is an error. */
export const ExecutionPolicy = z.strictObject({
  maxProviderCallsPerRun: z.number().int().min(1).max(50).optional(),
  timeoutMs: z.number().int().min(100).max(30_000).optional(),
  maxResponseBytes: z.number().int().min(1024).max(1_048_576).optional(),
  maxExecutionConcurrency: z.number().int().min(1).max(32).optional(),
})
export type ExecutionPolicy = z.output<typeof ExecutionPolicy>

/**
 * How final the block of an alert must be before the alert is sent: `seen` is at once, `safe` and `finalized` are what the
 * chain's nodes report, and `confirmations` counts the blocks on top of it.
 */
export const Finality = z.union(
  [z.enum(['seen', 'safe', 'finalized']), z.object({ confirmations: z.number().int().min(1).max(1000) })],
  { error: 'must be seen, safe, finalized or {confirmations: …}' },
)
export type Finality = z.output<typeof Finality>

/** How often one subscription gets a delivery. A field that is left out has the value of the trigger's defaults. */
export const DeliveryMode = z
  .object({
    mode: z.enum(['continuous', 'once', 'once_per_key']).optional(),
    keyPath: z.string().min(1).optional(),
    finality: Finality.optional(),
  })
  .refine((delivery) => delivery.mode !== undefined || delivery.finality !== undefined, {
    path: ['mode'],
    message: 'is required without a finality',
  })
  .refine((delivery) => delivery.mode !== 'once_per_key' || delivery.keyPath !== undefined, {
    path: ['keyPath'],
    message: 'is required for once_per_key',
  })

/** How serious an alert is, mildest first. */
export const Severity = z.enum(['info', 'warning', 'critical'])
export type Severity = z.output<typeof Severity>

const rulesMax = 20

/**
 * A severity by conditions on `raw`, `human` and `policy` of the output: the first rule whose conditions hold decides. The
 * last one may have no conditions; without such a rule the severity is info.
 */
export const SeverityRules = z
  .array(z.strictObject({ if: OutputConditions.optional(), then: Severity }))
  .min(1)
  .max(rulesMax)
  .superRefine((rules, context) => {
    for (const [at, rule] of rules.slice(0, -1).entries())
      if (rule.if === undefined)
        context.addIssue({ code: 'custom', path: [at, 'if'], message: 'is required: only the last rule may have none' })
  })
export type SeverityRules = z.output<typeof SeverityRules>

/**
 * The message of an alert unless a subscription overrides it: Handlebars templates over the output. `severity` is a
 * template, one of info, warning and critical, or a list of rules with conditions.
 */
export const Defaults = z.object({
  title: z.string().optional(),
  short: z.string().optional(),
  long: z.string().optional(),
  icon: z.string().optional(),
  cover: z.string().optional(),
  avatar: z.string().optional(),
  severity: z.union([z.string(), SeverityRules], { error: 'must be a text, or a list of {if, then}' }).optional(),
  links: z
    .array(z.object({ title: z.string(), url: z.string() }))
    .max(32)
    .optional(),
  delivery: DeliveryMode.optional(),
})
export type Defaults = z.output<typeof Defaults>

/**
 * `type` must be sdk. Every other field is stored and returned as sent. `trigger` names a stream if triggerSpec is
 * null.
 */
export const Backend = z.looseObject({
  type: z.literal('sdk'),
  trigger: z.string().max(255).nullish(),
  values: z.unknown().optional(),
})

export const TriggerStatusName = z.enum(['not_tested', 'ready', 'learning', 'warning', 'limited', 'blocked', 'broken'])
export const TriggerStatusSource = z.enum(['edit', 'test', 'runtime', 'dependency'])

/**
 * The status in a save. A client can set not_tested, ready and broken. The other values are accepted and ignored, so
 * that a client can send back a view that it read.
 */
export const TriggerStatusSave = z.object({
  status: TriggerStatusName,
  issue: z.string().nullish(),
  source: TriggerStatusSource.nullish(),
  updatedAt: z.string().nullish(),
})
