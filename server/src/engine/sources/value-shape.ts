/**
 * What a chain knows of a value before it is read, for the check of conditions. `type` is the chain's own word for it. A value
 * of the kind `any` may be anything.
 */
export type ValueShape = { type: string } & (
  | { kind: 'any' }
  | { kind: 'address' }
  | { kind: 'boolean' }
  | { kind: 'text' }
  | { kind: 'integer'; least: bigint; most: bigint }
  /** Hex with `0x`; without `bytes` of any length. */
  | { kind: 'bytes'; bytes?: number }
  | { kind: 'list'; items: ValueShape; length?: number }
  | { kind: 'tuple'; items: ValueShape[] }
  | { kind: 'object'; fields: Record<string, ValueShape> }
)

export const anyShape: ValueShape = { type: 'any value', kind: 'any' }
const length: ValueShape = { type: 'length', kind: 'integer', least: 0n, most: BigInt(Number.MAX_SAFE_INTEGER) }

/** An object with these fields. `block.number` is a field of the object `block`; of the others only the name is known. */
export function objectShape(type: string, paths: readonly string[]): Extract<ValueShape, { kind: 'object' }> {
  const inner = Map.groupBy(paths, (path) => path.split('.', 1)[0] ?? '')
  const fields = [...inner].map(([name, of]): [string, ValueShape] => {
    const deeper = of.filter((path) => path !== name).map((path) => path.slice(name.length + 1))
    return [name, deeper.length > 0 ? objectShape(name, deeper) : anyShape]
  })
  return { type, kind: 'object', fields: Object.fromEntries(fields) }
}

/** The shape at a path, as conditions read it; undefined if there is nothing. */
export function shapeAt(shape: ValueShape, path: readonly string[]): ValueShape | undefined {
  const [name, ...deeper] = path
  if (name === undefined || shape.kind === 'any') return shape
  const inner = innerShape(shape, name)
  return inner && shapeAt(inner, deeper)
}

/** The names below a shape that has names. */
export function namesIn(shape: ValueShape): string[] {
  return shape.kind === 'object' ? Object.keys(shape.fields) : []
}

function innerShape(shape: ValueShape, name: string): ValueShape | undefined {
  if (shape.kind === 'object') return Object.hasOwn(shape.fields, name) ? shape.fields[name] : undefined
  if (shape.kind !== 'list' && shape.kind !== 'tuple') return undefined
  if (name === 'length') return length
  if (!/^\d+$/.test(name)) return undefined
  if (shape.kind === 'tuple') return shape.items[Number(name)]
  return shape.length === undefined || Number(name) < shape.length ? shape.items : undefined
}
