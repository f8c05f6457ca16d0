import { type DefinitionKind, type Issue, issuesOf, type Level, type PayloadLimits, stackLabel } from '@tocsin/contract'
import type * as z from 'zod'
import type { StackOf } from '../store/projects/stacks.ts'
import type { Context } from './handler.ts'

/**
 * What plan and apply of a stack need from a noun. Each noun builds it on the functions of its own save and delete, so that
 * rights, checks and quotas are decided in one place.
 */

/** The request, without what a single save adds. In a transaction, `store` is that of the transaction. */
export type StackContext = Omit<Context<'applyStack'>, 'params' | 'query' | 'body'> & {
  workspace: { id: string; fullname: string }
  /** The caller's role in the workspace. */
  level: Level
  stack: string
  /** An apply locks what it reads. A plan does not, because it writes nothing. */
  locks: boolean
}

type Payload = Record<string, unknown>

/** An entity as the payload that would save it, secrets included, and the stack that it belongs to. */
export type StoredDefinition = { payload: Payload; stack: string | null }

/** Runs after the commit, because it uses the network. */
export type Finish = (context: StackContext) => Promise<void>
/** Saves the entity, in a transaction. */
export type Write = (context: StackContext) => Promise<Finish | undefined>
/** The text that a diff shows instead of a value. */
export type Mask = (value: unknown) => unknown

type NounRules<Schema extends z.ZodType> = {
  kind: DefinitionKind
  schema: Schema
  nameOf(payload: z.output<Schema>): string
  /** Another entity of this kind that this one names, so that it has to be saved first. */
  saveAfter?(payload: z.output<Schema>): string | undefined
  /** Limits of the service, which the schema does not contain. */
  overLimits?(payload: z.output<Schema>, limits: PayloadLimits): Issue[]
  /** Runs before the transaction: everything that is slow or uses the network. */
  prepare(context: StackContext, payload: z.output<Schema>): Promise<Write>
  find(context: StackContext, name: string): Promise<StoredDefinition | undefined>
  remove(context: StackContext, name: string): Promise<unknown>
  /** Why the saved entity makes no alerts although it is valid. */
  warningOf?(context: StackContext, name: string): Promise<string | undefined>
  /** How a diff shows the value at a path that holds a secret. */
  maskOf?(path: readonly string[]): Mask | undefined
}

export type ReadDefinition =
  | {
      ok: true
      name: string
      saveAfter: string | undefined
      payload: Payload
      prepare: (context: StackContext) => Promise<Write>
    }
  | { ok: false; issues: Issue[] }

export type DefinitionNoun = {
  kind: DefinitionKind
  read(sent: Payload, limits: PayloadLimits): ReadDefinition
  find: NounRules<z.ZodType>['find']
  remove: NounRules<z.ZodType>['remove']
  warningOf: NounRules<z.ZodType>['warningOf']
  maskOf: NonNullable<NounRules<z.ZodType>['maskOf']>
}

/** Hides the type of the payload, so that all nouns fit into one list. */
export function defineNoun<Schema extends z.ZodType<Payload>>(rules: NounRules<Schema>): DefinitionNoun {
  const { kind, find, remove, warningOf, maskOf = () => undefined } = rules
  return { kind, find, remove, warningOf, maskOf, read: (sent, limits) => readPayload(rules, sent, limits) }
}

function readPayload<Schema extends z.ZodType<Payload>>(
  rules: NounRules<Schema>,
  sent: Payload,
  limits: PayloadLimits,
): ReadDefinition {
  const parsed = rules.schema.safeParse(sent)
  if (!parsed.success) return { ok: false, issues: issuesOf(parsed.error) }
  const payload = parsed.data
  const issues = rules.overLimits?.(payload, limits) ?? []
  if (issues.length > 0) return { ok: false, issues }
  return {
    ok: true,
    name: rules.nameOf(payload),
    saveAfter: rules.saveAfter?.(payload),
    payload,
    prepare: (context) => rules.prepare(context, payload),
  }
}

export function stackOf({ workspace, stack }: StackContext): StackOf {
  return { workspaceId: workspace.id, stack }
}

type Labels = Record<string, string>

export function withStack(labels: Labels, { stack }: StackContext): Labels {
  return { ...labels, [stackLabel]: stack }
}

export const mask: Mask = () => '***'

/** The context of a single save or delete, made from that of a stack. */
export function requestOf<Params, Body>(context: StackContext, params: Params, body: Body) {
  return { ...context, params, query: undefined, body }
}
