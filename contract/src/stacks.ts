import * as z from 'zod'
import { AddressListSave } from './address-lists.ts'
import { FreeForm, Time } from './base/common.ts'
import { safeJson } from './base/safe-json.ts'
import { CustomSourceSave } from './custom-sources.ts'
import { ProjectSave } from './projects.ts'
import { ResourceSave } from './resources.ts'
import { SubscriptionSave } from './subscriptions.ts'
import { TemplateSave } from './templates.ts'
import { TriggerSave } from './triggers/trigger-definition.ts'

/**
 * Definitions as code. A stack is a named set of entities of one workspace that is planned and applied as a whole. Every
 * entity of a stack has the label `tocsin.stack`.
 */
export const stackLabel = 'tocsin.stack'
export const stackEntitiesMax = 1000

export const DefinitionKind = z.enum([
  'project',
  'trigger',
  'template',
  'resource',
  'source',
  'subscription',
  'address-list',
])
export type DefinitionKind = z.output<typeof DefinitionKind>

const segment = /^[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?$/
const segmentRule = 'must have letters, digits and inner ".", "_" and "-"'
export const StackName = z.string().max(64).regex(segment, segmentRule)
/** Templates and subscriptions have no fullname. In a stack a key, unique for each kind, names them. */
export const DefinitionKey = z.string().max(128).regex(segment, segmentRule)

/**
 * The payload of each kind: that of its PUT. The server knows whether a source exists, so `mode` is not needed. The
 * `template` of a subscription may be the key of a template of the stack.
 */
export const definitionPayloads = {
  project: ProjectSave,
  trigger: TriggerSave,
  template: TemplateSave.extend({ key: DefinitionKey }),
  resource: ResourceSave,
  source: CustomSourceSave.omit({ mode: true }),
  subscription: SubscriptionSave.safeExtend({ key: DefinitionKey }),
  'address-list': AddressListSave,
} as const satisfies Record<DefinitionKind, z.ZodType>
export type DefinitionPayload<Kind extends DefinitionKind> = z.output<(typeof definitionPayloads)[Kind]>

const request = {
  stack: StackName,
  /** An invalid payload is an issue of its entity, not of the whole request. */
  entities: z.array(z.object({ kind: DefinitionKind, payload: FreeForm })).max(stackEntitiesMax),
  /** Delete the entities of the stack that the request does not name. */
  prune: z.boolean().default(false),
}
export const StackPlanRequest = safeJson(z.object(request))
export const StackApplyRequest = safeJson(z.object({ ...request, expectedPlanHash: z.string().min(1).max(128) }))

/** `path` is a dotted path in the payload; a dot inside a name is written `\.`. Null means that there is no value. */
export const DefinitionDiff = z
  .object({ path: z.string(), from: z.unknown(), to: z.unknown() })
  .meta({ id: 'DefinitionDiff' })
/** `fullname` is the key of a template or a subscription. */
const named = { kind: DefinitionKind, fullname: z.string() }

export const DefinitionChange = z
  .object({
    ...named,
    action: z.enum(['create', 'update', 'delete', 'none']),
    diff: z.array(DefinitionDiff).describe('Secrets show only that they changed'),
  })
  .meta({ id: 'DefinitionChange' })
/** How an entity differs from what the last apply of the stack wrote. */
export const DefinitionDrift = z.object({ ...named, diff: z.array(DefinitionDiff) }).meta({ id: 'DefinitionDrift' })
export const DefinitionIssue = z
  .object({ ...named, path: z.string(), message: z.string() })
  .meta({ id: 'DefinitionIssue' })
export type DefinitionDiff = z.output<typeof DefinitionDiff>
export type DefinitionChange = z.output<typeof DefinitionChange>
export type DefinitionDrift = z.output<typeof DefinitionDrift>
export type DefinitionIssue = z.output<typeof DefinitionIssue>

export const StackPlan = z
  .object({
    planHash: z.string(),
    changes: z.array(DefinitionChange),
    drift: z.array(DefinitionDrift),
    issues: z.array(DefinitionIssue),
    /** What does not hinder an apply, but makes no alerts. */
    warnings: z.array(DefinitionIssue),
  })
  .meta({ id: 'StackPlan' })
export const StackApplied = z
  .object({ planHash: z.string(), changes: z.array(DefinitionChange) })
  .meta({ id: 'StackApplied' })

/** A stack of a workspace. `appliedAt` is null if it was never applied: a save can set the label too. */
export const StackView = z
  .object({ stack: z.string(), entitiesCount: z.int(), appliedAt: Time.nullable() })
  .meta({ id: 'StackView' })
/** An entity of a stack. Templates and subscriptions also have their id, and templates their project. */
export const StackEntity = z
  .object({ ...named, id: z.string().optional(), project: z.string().optional() })
  .meta({ id: 'StackEntity' })
export const StackContents = StackView.extend({ entities: z.array(StackEntity) }).meta({ id: 'StackContents' })
