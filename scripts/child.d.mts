import type { SpawnOptions } from 'node:child_process'

export function runQuietly(command: string[], options?: SpawnOptions): Promise<void>
