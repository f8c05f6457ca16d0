import { createHash } from 'node:crypto'

/** Decoders by what they decode. A decoder is shared while a spec uses it, and forgotten afterwards. */
export class SharedDecoders<Decoder extends object> {
  readonly #known = new Map<string, WeakRef<Decoder>>()
  readonly #forgotten = new FinalizationRegistry<string>((key) => {
    if (!this.find(key)) this.#known.delete(key)
  })

  find(key: string): Decoder | undefined {
    return this.#known.get(key)?.deref()
  }

  findOrAdd(key: string, make: () => Decoder): Decoder {
    const known = this.find(key)
    if (known) return known
    const decoder = make()
    this.#known.set(key, new WeakRef(decoder))
    this.#forgotten.register(decoder, key)
    return decoder
  }
}

export function fingerprint(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('base64')
}
