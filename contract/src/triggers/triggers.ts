import * as z from 'zod'
import { DateTime, FreeForm, IssueView, ListQuery, Stamped, Tagged, Time } from '../base/common.ts'
import { loose } from '../base/loose.ts'
import { atMost } from '../base/payload-limits.ts'
import { Condition } from './conditions.ts'
import { Provider } from './providers/index.ts'
import { CanonicalActivation, CanonicalTransform } from './scripts.ts'
import { SourceBinding } from './source-bindings.ts'
import { Backend, Defaults, ExecutionPolicy } from './trigger-parts.ts'
import { TriggerSpec } from './trigger-spec.ts'

export const TriggerState = z.enum(['not_tested', 'ready', 'learning', 'warning', 'limited', 'blocked', 'broken'])
export const TriggerStatus = z
  .object({
    status: TriggerState,
    issue: z.string().optional(),
    reasonCode: z.string().optional(),
    source: z.enum(['edit', 'test', 'runtime', 'dependency']).optional(),
    updatedAt: Time,
  })
  .meta({ id: 'TriggerStatus' })
export type TriggerStatus = z.infer<typeof TriggerStatus>

const ShownMeta = z.object({
  title: z.string(),
  description: z.string().optional(),
  runbook: z.string().optional().describe('What to do when it fires: the URL of a page, or a text in Markdown.'),
})

export const TriggerView = z
  .object({
    id: z.string(),
    name: z.string(),
    fullname: z.string(),
    project: z.string(),
    workspace: z.string(),
    public: z.boolean(),
    backend: loose(Backend),
    inputs: FreeForm,
    defaults: loose(Defaults).optional(),
    triggerSpec: loose(TriggerSpec).nullable(),
    sourceBindings: z.array(loose(SourceBinding)).optional(),
    filtersSchema: FreeForm.optional(),
    outputSchema: FreeForm.optional(),
    activation: loose(CanonicalActivation).nullable(),
    conditions: loose(Condition).optional(),
    executionPolicy: loose(ExecutionPolicy).nullable(),
    status: TriggerStatus,
    issue: z.string().optional().describe('Why no alert can come although the definition is valid'),
    ...Tagged,
    meta: ShownMeta,
    hasProviders: z.boolean(),
    hasTransform: z.boolean(),
    hasDraft: z.boolean(),
    ...Stamped,
  })
  .meta({ id: 'TriggerView' })

export const TriggerDraftView = TriggerView.extend({
  providers: z.array(loose(Provider)),
  transform: loose(CanonicalTransform).nullable(),
  draft: z.object({ exists: z.boolean(), savedAt: Time.optional(), savedBy: z.string().optional() }),
}).meta({ id: 'TriggerDraftView' })

export const TriggerListQuery = ListQuery.extend({
  project: z.string().max(255).optional(),
  workspace: z.string().max(255).optional(),
})

const Paths = {
  set: z.record(z.string(), z.unknown()).optional(),
  unset: z.array(z.string().min(1).max(512)).max(200).optional(),
}
export const TriggerPatch = z.object({ ...Paths, dryRun: z.boolean().optional() })
export const TriggerBulkPatch = z.object({
  items: z
    .array(z.object({ fullname: z.string().min(1).max(255), ...Paths }))
    .min(1)
    .describe(atMost('bulkItems')),
  dryRun: z.boolean().optional(),
})
export const TriggerBulkRemove = z.object({
  fullnames: z.array(z.string().min(1).max(255)).min(1).describe(atMost('bulkItems')),
  dryRun: z.boolean().optional(),
})

export const TriggerPatchResult = z
  .object({
    fullname: z.string(),
    dryRun: z.boolean(),
    updated: z.boolean(),
    changedPaths: z.array(z.string()),
    trigger: TriggerDraftView,
  })
  .meta({ id: 'TriggerPatchResult' })
export const TriggerBulkPatchResult = z
  .object({
    dryRun: z.boolean(),
    totalCount: z.number().int(),
    updatedCount: z.number().int(),
    items: z.array(z.object({ fullname: z.string(), updated: z.boolean(), changedPaths: z.array(z.string()) })),
  })
  .meta({ id: 'TriggerBulkPatchResult' })
export const TriggerBulkRemoveResult = z
  .object({
    dryRun: z.boolean(),
    totalCount: z.number().int(),
    deletedCount: z.number().int(),
    items: z.array(
      z.object({ fullname: z.string(), project: z.string(), workspace: z.string(), deleted: z.boolean() }),
    ),
  })
  .meta({ id: 'TriggerBulkRemoveResult' })

export const TriggerValidationResult = z
  .object({ valid: z.boolean(), issues: z.array(IssueView), trigger: FreeForm.optional() })
  .meta({ id: 'TriggerValidationResult' })

/** A published version. `changed` names the fields that differ from the version before. */
export const TriggerVersion = z
  .object({
    number: z.number().int(),
    changed: z.array(z.string()),
    /** The version that was published again. */
    restoredFrom: z.number().int().optional(),
    savedBy: z.object({ id: z.string(), name: z.string() }).optional(),
    savedAt: Time,
  })
  .meta({ id: 'TriggerVersion' })
/** `definition` is the payload that would save the version again. */
export const WholeTriggerVersion = TriggerVersion.extend({ definition: FreeForm }).meta({ id: 'WholeTriggerVersion' })

export const TriggerLogsQuery = z.object({
  limit: z.coerce.number().int().min(1).max(500).default(100),
  status: z.enum(['delivered', 'failed', 'rate_limited', 'blocked', 'limited']).optional(),
  direction: z.enum(['before', 'after']).default('before'),
  datetime: DateTime.optional(),
})
export const TriggerLogs = z
  .object({
    trigger: z.object({
      fullname: z.string(),
      meta: ShownMeta,
      status: TriggerStatus,
    }),
    subscriptions: z.object({ total: z.number().int(), active: z.number().int(), paused: z.number().int() }),
    logs: z.array(
      z.object({
        id: z.string(),
        kind: z.enum(['delivery_failure', 'source_pressure', 'delivery']),
        status: z.enum(['delivered', 'failed', 'rate_limited', 'blocked', 'limited']),
        reasonCode: z.string().optional(),
        message: z.string().optional(),
        count: z.number().int(),
        firstSeenAt: Time,
        lastSeenAt: Time,
        channel: z.string().optional(),
        resource: z.string().optional(),
        source: z.string().optional(),
        sample: FreeForm.optional(),
      }),
    ),
    hasMore: z.boolean(),
  })
  .meta({ id: 'TriggerLogs' })

/** One comparison, or one `contains`, of a trigger's conditions on one item. */
const ConditionPart = z.object({
  /** Where it is in the definition, such as `conditions.all.0`. */
  path: z.string(),
  param: z.string(),
  op: z.string(),
  /** What the part asks for, with inputs filled in and amounts in the smallest unit. */
  wanted: z.unknown(),
  /** The value that the part saw; null if there is none. */
  value: z.unknown(),
  /** Null if a preview cannot know it: it reads no token. */
  held: z.boolean().nullable(),
  /** Set if there is nothing at the path, so that the part can probably never hold. */
  issue: z.string().optional(),
})

const Debug = z.object({
  /** False if the activation or the conditions stopped the run. */
  activated: z.boolean().optional(),
  conditions: z.array(ConditionPart).optional(),
  providers: z.record(
    z.string(),
    z.object({
      ok: z.boolean(),
      durationMs: z.number(),
      request: FreeForm.optional(),
      error: z.string().optional(),
      /** True if `runIf` was falsy, so the provider did not run. */
      skipped: z.boolean().optional(),
    }),
  ),
  logs: z.array(z.object({ level: z.string(), message: z.string() })),
  timings: z.record(z.string(), z.number()),
  metrics: z.object({ providerCalls: z.number().int(), bytes: z.number().int() }),
})
const Outcome = { valid: z.boolean(), issues: z.array(IssueView) }

export const TriggerPreviewResult = z
  .object({ ...Outcome, output: z.unknown(), debug: Debug })
  .meta({ id: 'TriggerPreviewResult' })
export const TriggerTestResult = TriggerPreviewResult.extend({
  input: FreeForm.optional(),
  sourceEventsCount: z.number().int().optional(),
}).meta({ id: 'TriggerTestResult' })
export const ProviderTestResult = z
  .object({ ...Outcome, result: z.unknown().optional(), debug: Debug })
  .meta({ id: 'ProviderTestResult' })
export const LatestBlockResult = z
  .object({
    ...Outcome,
    latestBlock: z.number().int().optional(),
    matched: z.boolean(),
    matchedBlock: z.number().int().optional(),
    checkedBlocks: z.number().int(),
    oldestBlock: z.number().int().optional().describe('The oldest block that was looked at; absent if none was.'),
    sourceEventsCount: z.number().int().optional(),
    itemIndex: z.number().int().optional(),
    input: FreeForm.optional(),
  })
  .meta({ id: 'LatestBlockResult' })
