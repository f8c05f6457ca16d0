import { type DefinitionKind, type DefinitionPayload, type Issue, type Level, stackLabel } from '@tocsin/contract'
import { readEntityInTurn } from '../engine/threads/index.ts'
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

type NounRules<Kind extends DefinitionKind> = {
  kind: Kind
  nameOf(payload: DefinitionPayload<Kind>): string
  /** Another entity of this kind that this one names, so that it has to be saved first. */
  saveAfter?(payload: DefinitionPayload<Kind>): string | undefined
  /** Runs before the transaction: everything that is slow or uses the network. */
  prepare(context: StackContext, payload: DefinitionPayload<Kind>): Promise<Write>
  find(context: StackContext, name: string): Promise<StoredDefinition | undefined>
  remove(context: StackContext, name: string): Promise<unknown>
  /** Why the saved entity makes no alerts although it is valid. */
  warningOf?(context: StackContext, name: string): Promise<string | undefined>
  /** How a diff shows the value at a path that holds a secret. */
  maskOf?(path: readonly string[]): Mask | undefined
}

/** `hash` is what the hash of a plan covers. */
export type ReadDefinition =
  | {
      ok: true
      hash: string
      name: string
      saveAfter: string | undefined
      payload: Payload
      prepare: (context: StackContext) => Promise<Write>
    }
  | { ok: false; hash: string; issues: Issue[] }

type Rules = NounRules<DefinitionKind>
export type DefinitionNoun = {
  kind: DefinitionKind
  read(context: StackContext, sent: Payload): Promise<ReadDefinition>
  find: Rules['find']
  remove: Rules['remove']
  warningOf: Rules['warningOf']
  maskOf: NonNullable<Rules['maskOf']>
}

/** Hides the type of the payload, so that all nouns fit into one list. */
export function defineNoun<Kind extends DefinitionKind>(rules: NounRules<Kind>): DefinitionNoun {
  const { kind, find, remove, warningOf, maskOf = () => undefined } = rules
  return { kind, find, remove, warningOf, maskOf, read: (context, sent) => readSent(rules, context, sent) }
}

async function readSent<Kind extends DefinitionKind>(
  rules: NounRules<Kind>,
  { account, settings }: StackContext,
  sent: Payload,
): Promise<ReadDefinition> {
  const read = await readEntityInTurn(account.id, { kind: rules.kind, payload: sent }, settings.limits)
  if (!read.ok) return read
  const { payload, hash } = read
  return {
    ok: true,
    hash,
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
