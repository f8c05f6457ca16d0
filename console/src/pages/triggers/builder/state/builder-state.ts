import { isObject } from '../../../../forms/json.ts'
import {
  type Kept,
  movedEntries,
  type Unread,
  type UnreadTexts,
  withoutEntry,
  withUnread,
} from '../../../../forms/unread.ts'
import { type Definition, definitionParts, type Fields } from '../../model/definition.ts'

/** What the builder holds: the definition, and what it is tried on. */
export type BuilderState = {
  definition: Definition
  /** The definition as it was last read or saved, to tell whether there is something to save. */
  saved: Definition
  /** A source item to try on. */
  sample: Fields | undefined
  /** Values of the trigger's inputs while trying. */
  inputs: Fields
  /** What each provider gave in its last test, by its id. */
  providersData: Fields
  /** Text in fields that is not part of the definition, because it cannot be read; by the path of the field. */
  unread: UnreadTexts
}

export type BuilderAction =
  | { type: 'change'; part: Partial<Definition> }
  | { type: 'changeSpec'; part: Fields }
  | { type: 'replace'; definition: Definition }
  | { type: 'saved'; definition: Definition }
  | { type: 'putProvider'; at: number; provider: Fields }
  | { type: 'removeProvider'; at: number }
  | { type: 'moveProvider'; at: number; to: number }
  | { type: 'sample'; sample: Fields | undefined }
  | { type: 'input'; name: string; value: unknown }
  | { type: 'provided'; id: string; value: unknown }
  | { type: 'unread'; path: string; unread: Unread | undefined }

export type Builder = { state: BuilderState; dispatch: (action: BuilderAction) => void }

export function begin(definition: Definition): BuilderState {
  const testInput = definition.triggerSpec?.testInput
  return {
    definition,
    saved: definition,
    sample: isObject(testInput) ? testInput : undefined,
    inputs: defaultInputs(definition.inputs),
    providersData: {},
    unread: {},
  }
}

export function reduce(state: BuilderState, action: BuilderAction): BuilderState {
  switch (action.type) {
    case 'replace':
      return { ...state, definition: action.definition, unread: unreadAfterReplace(state, action.definition) }
    case 'saved':
      return { ...state, saved: action.definition }
    case 'sample':
      return { ...state, sample: action.sample }
    case 'input':
      return { ...state, inputs: { ...state.inputs, [action.name]: action.value } }
    case 'provided':
      return { ...state, providersData: { ...state.providersData, [action.id]: action.value } }
    case 'unread':
      return { ...state, unread: withUnread(state.unread, action.path, action.unread) }
    default:
      return {
        ...state,
        definition: reduceDefinition(state.definition, action),
        sample: sampleAfter(state, action),
        unread: unreadAfter(state, action),
      }
  }
}

type DefinitionAction = Extract<
  BuilderAction,
  { type: 'change' | 'changeSpec' | 'putProvider' | 'removeProvider' | 'moveProvider' }
>

/** An item of what the trigger listened to before says nothing about what it listens to now. */
function sampleAfter({ sample }: BuilderState, action: DefinitionAction): Fields | undefined {
  if (action.type === 'changeSpec') return 'testInput' in action.part ? sample : undefined
  return action.type === 'change' && 'triggerSpec' in action.part ? undefined : sample
}

/** Fields that are no longer shown, or that another part of the builder has filled in, hold no text. */
function unreadAfter({ unread, definition }: BuilderState, action: DefinitionAction): UnreadTexts {
  if (action.type === 'removeProvider') return withoutEntry(unread, 'providers', action.at)
  if (action.type === 'moveProvider') {
    const order = moved([...definition.providers.keys()], action.at, action.to)
    return movedEntries(unread, 'providers', (at) => order.indexOf(at))
  }
  return action.type === 'change' && 'triggerSpec' in action.part ? without(unread, 'triggerSpec') : unread
}

/** JSON that replaces the definition also replaces what was typed for the parts that it changes. */
function unreadAfterReplace({ unread, definition }: BuilderState, next: Definition): UnreadTexts {
  const changed = definitionParts.filter((part) => JSON.stringify(definition[part]) !== JSON.stringify(next[part]))
  return changed.reduce<UnreadTexts>(without, unread)
}

function without(unread: UnreadTexts, part: string): UnreadTexts {
  return Object.fromEntries(Object.entries(unread).filter(([path]) => path !== part && !path.startsWith(`${part}.`)))
}

/** Keeps the unread text of one field in the builder, so that it outlives the tab it was typed in. */
export function keptIn({ state, dispatch }: Builder, path: string, label: string): Kept {
  return {
    unread: state.unread[path],
    keep: (unread) => dispatch({ type: 'unread', path, unread: unread && { label, ...unread } }),
  }
}

function reduceDefinition(definition: Definition, action: DefinitionAction): Definition {
  const { providers } = definition
  switch (action.type) {
    case 'change':
      return { ...definition, ...action.part }
    case 'changeSpec':
      return { ...definition, triggerSpec: withoutUndefined({ ...definition.triggerSpec, ...action.part }) }
    case 'putProvider':
      return { ...definition, providers: putAt(providers, action.at, withoutUndefined(action.provider)) }
    case 'removeProvider':
      return { ...definition, providers: providers.toSpliced(action.at, 1) }
    case 'moveProvider':
      return { ...definition, providers: moved(providers, action.at, action.to) }
  }
}

function putAt(list: Fields[], at: number, item: Fields): Fields[] {
  return at === list.length ? [...list, item] : list.with(at, item)
}

function moved<Item>(list: Item[], at: number, to: number): Item[] {
  const item = list[at]
  if (item === undefined || to < 0 || to >= list.length) return list
  return list.toSpliced(at, 1).toSpliced(to, 0, item)
}

function withoutUndefined(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}

function defaultInputs(schemas: Fields): Fields {
  const given = Object.entries(schemas).flatMap(([name, schema]) =>
    isObject(schema) && schema.default !== undefined ? [[name, schema.default] as const] : [],
  )
  return Object.fromEntries(given)
}
