import { code } from './code.ts'
import { endless } from './endless.ts'
import { escapes } from './escapes.ts'
import { floods } from './floods.ts'
import type { Hostile } from './hostile.ts'
import { memory } from './memory.ts'
import { native } from './native.ts'
import { recursion } from './recursion.ts'
import { results } from './results.ts'
import { tampering } from './tampering.ts'

/** Scripts that try to harm the service or other tenants, each with its expected result. */
export const corpus: Record<string, Hostile[]> = {
  endless,
  native,
  memory,
  recursion,
  escapes,
  results,
  floods,
  code,
  tampering,
}
