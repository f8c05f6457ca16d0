import {
  type InvalidText,
  type InvalidTextSlot,
  type InvalidTexts,
  movedEntries,
  withInvalidText,
  withoutEntry,
} from '../../../../forms/invalid-text.tsx'
import { isObject } from '../../../../forms/json.ts'
import { type Definition, definitionParts, type Fields, hasSameContent } from '../../model/definition.ts'
import { removeBinding } from '../../model/source-bindings.ts'

/** The state of the builder: the definition and the test data. */
export type BuilderState = {
  definition: Definition
  /** The definition as last loaded or saved. The builder has unsaved changes if `definition` differs. */
  saved: Definition
  /** The source item of the preview. */
  sample: Fields | undefined
  /** The values of the trigger's inputs for the preview. */
  inputs: Fields
  /** The last test result of each provider, by id. */
  providersData: Fields
  /** Text that cannot be parsed, so it is not part of the definition; by the path of its field. */
  invalidTexts: InvalidTexts
}

export type BuilderAction =
  | { type: 'change'; part: Partial<Definition> }
  | { type: 'changeSpec'; part: Fields }
  | { type: 'replace'; definition: Definition }
  | { type: 'saved'; definition: Definition }
  | { type: 'putProvider'; at: number; provider: Fields }
  | { type: 'removeProvider'; at: number }
  | { type: 'moveProvider'; at: number; to: number }
  | { type: 'removeBinding'; at: number }
  /** `spec`: the sample is an item of this spec. The user may have changed it since the item was asked for. */
  | { type: 'sample'; sample: Fields | undefined; spec?: Definition['triggerSpec'] }
  | { type: 'input'; name: string; value: unknown }
  | { type: 'provided'; id: string; value: unknown }
  | { type: 'invalidText'; path: string; text: InvalidText | undefined }

export type Builder = { state: BuilderState; dispatch: (action: BuilderAction) => void }

export function initialState(definition: Definition): BuilderState {
  const testInput = definition.triggerSpec?.testInput
  return {
    definition,
    saved: definition,
    sample: isObject(testInput) ? testInput : undefined,
    inputs: defaultInputs(definition.inputs),
    providersData: {},
    invalidTexts: {},
  }
}

/** True if the definition differs from the saved one, or a field has invalid text. */
export function hasUnsavedWork({ definition, saved, invalidTexts }: BuilderState): boolean {
  return Object.keys(invalidTexts).length > 0 || !hasSameContent(definition, saved)
}

export function reduce(state: BuilderState, action: BuilderAction): BuilderState {
  switch (action.type) {
    case 'replace':
      return {
        ...state,
        definition: action.definition,
        invalidTexts: invalidTextsAfterReplace(state, action.definition),
      }
    case 'saved':
      return { ...state, saved: action.definition }
    case 'sample':
      return isOfOtherSpec(state, action.spec) ? state : { ...state, sample: action.sample }
    case 'input':
      return { ...state, inputs: { ...state.inputs, [action.name]: action.value } }
    case 'provided':
      return { ...state, providersData: { ...state.providersData, [action.id]: action.value } }
    case 'invalidText':
      return { ...state, invalidTexts: withInvalidText(state.invalidTexts, action.path, action.text) }
    default:
      return {
        ...state,
        definition: reduceDefinition(state.definition, action),
        sample: sampleAfter(state, action),
        invalidTexts: invalidTextsAfter(state, action),
      }
  }
}

type DefinitionAction = Extract<
  BuilderAction,
  { type: 'change' | 'changeSpec' | 'putProvider' | 'removeProvider' | 'moveProvider' | 'removeBinding' }
>

/** A change of the source drops the sample, because the sample came from the old source. */
function sampleAfter({ sample, definition }: BuilderState, action: DefinitionAction): Fields | undefined {
  if (action.type === 'changeSpec') return 'testInput' in action.part ? sample : undefined
  return action.type === 'change' && hasOtherSpec(definition, action.part) ? undefined : sample
}

function isOfOtherSpec({ definition: { triggerSpec } }: BuilderState, spec: Definition['triggerSpec'] | undefined) {
  return spec !== undefined && JSON.stringify(spec) !== JSON.stringify(triggerSpec)
}

/** A change of the bindings carries the spec along, often unchanged. */
function hasOtherSpec({ triggerSpec }: Definition, part: Partial<Definition>): boolean {
  return 'triggerSpec' in part && part.triggerSpec !== triggerSpec
}

/** Drops invalid texts of fields that were removed or replaced. */
function invalidTextsAfter({ invalidTexts, definition }: BuilderState, action: DefinitionAction): InvalidTexts {
  if (action.type === 'removeProvider') return withoutEntry(invalidTexts, 'providers', action.at)
  if (action.type === 'moveProvider') {
    const order = moved([...definition.providers.keys()], action.at, action.to)
    return movedEntries(invalidTexts, 'providers', (at) => order.indexOf(at))
  }
  if (action.type === 'removeBinding') return withoutEntry(invalidTexts, 'sourceBindings', action.at)
  return action.type === 'change' && hasOtherSpec(definition, action.part)
    ? without(invalidTexts, 'triggerSpec')
    : invalidTexts
}

/** Drops invalid texts of the parts that the new definition changes. */
function invalidTextsAfterReplace({ invalidTexts, definition }: BuilderState, next: Definition): InvalidTexts {
  const changed = definitionParts.filter((part) => JSON.stringify(definition[part]) !== JSON.stringify(next[part]))
  return changed.reduce<InvalidTexts>(without, invalidTexts)
}

function without(invalidTexts: InvalidTexts, part: string): InvalidTexts {
  return Object.fromEntries(
    Object.entries(invalidTexts).filter(([path]) => path !== part && !path.startsWith(`${part}.`)),
  )
}

/** Stores the invalid text of one field in the builder, so that it survives a tab change. */
export function invalidTextIn({ state, dispatch }: Builder, path: string, label: string): InvalidTextSlot {
  return {
    current: state.invalidTexts[path],
    set: (text) => dispatch({ type: 'invalidText', path, text: text && { label, ...text } }),
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
    case 'removeBinding':
      return { ...definition, ...removeBinding(definition, action.at) }
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
