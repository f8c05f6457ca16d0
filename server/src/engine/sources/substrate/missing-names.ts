import { isSameCall, isSameName } from './names.ts'
import type { Pallet, Runtime } from './runtime.ts'

/** The names in a spec of events or calls. */
export type SpecNames = { pallet?: string | undefined; event?: string | undefined; call?: string | undefined }
export type MissingName = { field: keyof SpecNames; message: string }

/** The first name that the runtime does not have; undefined when it has all. */
export function findMissingName(runtime: Runtime, { pallet, event, call }: SpecNames): MissingName | undefined {
  const pallets = runtime.pallets.filter(({ name }) => pallet === undefined || isSameName(name, pallet))
  if (pallet !== undefined && pallets.length === 0)
    return { field: 'pallet', message: `the chain has no pallet ${pallet.slice(0, 64)}` }
  const whose = pallet === undefined ? 'the chain' : `the pallet ${pallets[0]?.name}`
  const has = (type: (pallet: Pallet) => number | undefined, isSame: (name: string) => boolean) =>
    pallets.some((each) => variantsOf(runtime, type(each)).some(isSame))
  if (
    event !== undefined &&
    !has(
      ({ events }) => events?.type,
      (name) => isSameName(name, event),
    )
  )
    return { field: 'event', message: `${whose} has no event ${event.slice(0, 64)}` }
  if (
    call !== undefined &&
    !has(
      ({ calls }) => calls?.type,
      (name) => isSameCall(name, call),
    )
  )
    return { field: 'call', message: `${whose} has no call ${call.slice(0, 64)}` }
  return undefined
}

function variantsOf({ types }: Runtime, type: number | undefined): string[] {
  const def = type === undefined ? undefined : types[type]?.def
  return def?.tag === 'variant' ? def.value.map(({ name }) => name) : []
}
