import type { UnifiedMetadata } from '@polkadot-api/substrate-bindings'

type Types = UnifiedMetadata['lookup']
type Type = Types[number]

/**
 * The library replaces a struct of one field by that field. That is right for `Perbill(u32)` and wrong for
 * `{ value: u32 }`, whose field has a name. This adds a second field that takes no bytes: the library treats the type as a
 * struct and then drops the empty field.
 */
export function keepNamedFields(types: Types): Types {
  const nothing: Type = { id: types.length, path: [], params: [], docs: [], def: { tag: 'composite', value: [] } }
  return [...types.map((type) => kept(type, types, nothing.id)), nothing]
}

function kept(type: Type, types: Types, nothing: number): Type {
  const { def, path } = type
  // A compact integer may be declared with a struct around it. It is read as the integer.
  if (def.tag === 'compact') return { ...type, def: { ...def, value: innermost(def.value, types) } }
  if (def.tag !== 'composite' || def.value.length !== 1 || !def.value[0]?.name) return type
  if (path.at(-1) === 'AccountId32' || path.at(-1) === 'AccountId20') return type
  const filler = { name: 'nothing', type: nothing, typeName: undefined, docs: [] }
  return { ...type, def: { ...def, value: [...def.value, filler] } }
}

/** At most as many steps as there are types, because metadata may come from anybody. */
function innermost(id: number, types: Types): number {
  let at = id
  for (let left = types.length; left > 0; left -= 1) {
    const def = types[at]?.def
    const only = def?.tag === 'composite' && def.value.length === 1 ? def.value[0]?.type : undefined
    if (only === undefined) break
    at = only
  }
  return at
}
