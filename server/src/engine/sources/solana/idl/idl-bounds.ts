import type { DefinedTypeNode, TypeNode } from '@codama/nodes'
import { UpstreamError } from '../../../outbound/upstream-error.ts'

/** An IDL that this service cannot decode, with a message for its author. */
export class UndecodableIdl extends UpstreamError {
  constructor(message: string) {
    super('refused', message)
  }
}

/** The maximum number of parts in one value, counting a type each time it is used. */
const partsMax = 2000

/**
 * Limits the size of an IDL's types. Anyone may write an IDL: a type that contains itself never ends, and thirty types that
 * each contain the next one twice make a billion fields. Each type is built once and counted each time it is used.
 */
export class Bounds<Built> {
  #parts = 0
  readonly #known = new Map<string, { built: Built; parts: number } | 'open'>()

  spend(parts: number): void {
    this.#parts += parts
    if (this.#parts > partsMax) throw new UndecodableIdl(`describes values of more than ${partsMax} parts`)
  }

  once(name: string, build: () => Built): Built {
    const known = this.#known.get(name)
    if (known === 'open') throw new UndecodableIdl(`has a type ${name} that holds itself`)
    if (known) {
      this.spend(known.parts)
      return known.built
    }
    this.#known.set(name, 'open')
    const before = this.#parts
    const built = build()
    this.#known.set(name, { built, parts: this.#parts - before })
    return built
  }
}

/** Refuses lists whose items take no bytes: four bytes could then declare a list of four billion items. */
export class ListItems {
  readonly #types: Map<string, TypeNode>
  readonly #areEmpty = new Map<string, boolean>()

  constructor(types: readonly DefinedTypeNode[]) {
    this.#types = new Map(types.map(({ name, type }) => [name, type]))
  }

  requireBytes(item: TypeNode, countKind: string): void {
    if (countKind === 'remainderCountNode') throw new UndecodableIdl('has a list without a count')
    if (this.#isEmpty(item)) throw new UndecodableIdl('has a list of a type without fields')
  }

  #isEmpty(node: TypeNode): boolean {
    if (node.kind === 'structTypeNode') return (node.fields ?? []).every(({ type }) => this.#isEmpty(type))
    if (node.kind === 'tupleTypeNode') return (node.items ?? []).every((item) => this.#isEmpty(item))
    if (node.kind === 'arrayTypeNode' && node.count.kind === 'fixedCountNode')
      return node.count.value === 0 || this.#isEmpty(node.item)
    return node.kind === 'definedTypeLinkNode' && this.#isEmptyType(node.name)
  }

  /** Checks each type once. A type that contains itself is refused when it is built. */
  #isEmptyType(name: string): boolean {
    const known = this.#areEmpty.get(name)
    if (known !== undefined) return known
    this.#areEmpty.set(name, false)
    const type = this.#types.get(name)
    const isEmpty = type !== undefined && this.#isEmpty(type)
    this.#areEmpty.set(name, isEmpty)
    return isEmpty
  }
}
