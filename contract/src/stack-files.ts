import * as z from 'zod'
import { Fullname } from './base/common.ts'
import { StackName } from './stacks.ts'

/** Files in the folder of a stack that are no payloads: `tocsin.yaml` and the tests in `tests/`. */

export const StackFile = z.strictObject({
  apiVersion: z.literal(1, 'must be 1').describe('The version of the format of the folder'),
  server: z
    .string()
    .refine((text) => URL.canParse(text) && /^https?:\/\//.test(text), 'must be an http(s) URL')
    .optional()
    .describe('The address of the server. TOCSIN_URL goes before it'),
  workspace: z.string().min(1).max(64).describe('The workspace that the stack belongs to'),
  stack: StackName.describe('The name of the stack, unique in the workspace'),
})
export type StackFile = z.output<typeof StackFile>

const block = z.number().int().min(0).describe('The number of a block, or of a slot')

/** Blocks in which a trigger of the folder must fire, and blocks in which it must not. */
export const DefinitionTest = z.strictObject({
  trigger: Fullname.describe('The fullname of a trigger of the folder'),
  mustFire: z
    .array(
      z.strictObject({
        block,
        count: z.number().int().min(1).optional().describe('How often it fires in the block; at least once if absent'),
        raw: z.unknown().optional().describe('A part of the raw output of one of the times it fires'),
      }),
    )
    .max(1000)
    .default([]),
  mustNotFire: z.array(z.strictObject({ block })).max(1000).default([]),
})
export type DefinitionTest = z.output<typeof DefinitionTest>
