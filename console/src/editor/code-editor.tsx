import { Input, Skeleton, Textarea } from '@mantine/core'
import { lazy, useId } from 'react'
import { OptionalPart } from '../components/patterns/optional-part.tsx'
import type { EditorProps } from './types.ts'

export type { Complete, Mark, Proposal } from './types.ts'

type CodeEditorProps = EditorProps & {
  label: string
  description?: string
  minHeight?: number
  error?: string | undefined
}

const CodeMirror = lazy(() => import('./code-mirror.tsx'))

/**
 * A code field. CodeMirror is loaded when the first one is shown; without it this is a plain text field. Tab indents; Escape,
 * then Tab moves the focus out.
 */
export function CodeEditor({ label, description, error, minHeight = 96, ...rest }: CodeEditorProps) {
  const id = useId()
  return (
    <Input.Wrapper label={label} labelElement="div" labelProps={{ id }} description={description} error={error}>
      <OptionalPart
        fallback={<Skeleton height={minHeight} mt={4} />}
        instead={<PlainEditor labelId={id} isInvalid={error !== undefined} {...rest} />}
      >
        <CodeMirror labelId={id} minHeight={minHeight} isInvalid={error !== undefined} {...rest} />
      </OptionalPart>
    </Input.Wrapper>
  )
}

type PlainEditorProps = EditorProps & { labelId: string; isInvalid: boolean }

function PlainEditor({ value, onChange, labelId, isInvalid }: PlainEditorProps) {
  return (
    <Textarea
      aria-labelledby={labelId}
      classNames={{ input: 'mono' }}
      rows={8}
      spellCheck={false}
      value={value}
      onChange={(event) => onChange?.(event.currentTarget.value)}
      error={isInvalid}
    />
  )
}
