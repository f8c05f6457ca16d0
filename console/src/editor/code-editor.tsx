import { Input, Skeleton } from '@mantine/core'
import { lazy, Suspense, useId } from 'react'
import type { Complete, Mark } from './types.ts'

export type { Complete, Mark, Proposal } from './types.ts'

type CodeEditorProps = {
  label: string
  description?: string
  language: 'javascript' | 'json'
  value: string
  onChange?: (value: string) => void
  /** What can stand at the cursor, from the code before it. Kept stable by the caller. */
  complete?: Complete
  /** What is wrong where; shown in the line and in the margin. */
  marks?: Mark[]
  isReadOnly?: boolean
  minHeight?: number
  error?: string | undefined
}

const Surface = lazy(() => import('./surface.tsx'))

/** A code field; CodeMirror comes when the first one is shown. Tab indents after Escape has been left alone: Escape, then Tab leaves it. */
export function CodeEditor({ label, description, error, minHeight = 96, ...rest }: CodeEditorProps) {
  const id = useId()
  return (
    <Input.Wrapper label={label} labelElement="div" labelProps={{ id }} description={description} error={error}>
      <Suspense fallback={<Skeleton height={minHeight} mt={4} />}>
        <Surface labelId={id} minHeight={minHeight} isInvalid={error !== undefined} {...rest} />
      </Suspense>
    </Input.Wrapper>
  )
}
