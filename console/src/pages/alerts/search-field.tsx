import { TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useEffect, useRef, useState } from 'react'
import { IconSearch } from '../../components/icons.tsx'

const waitMs = 300

type SearchFieldProps = { value: string | undefined; search: (words: string | null) => void }

/** Searches when the user stops typing. */
export function SearchField({ value = '', search }: SearchFieldProps) {
  const [text, setText] = useState(value)
  const searched = useRef(value)
  useEffect(() => {
    // A value that this field did not search for comes from a view or from “Clear filters”. Others are older than the text.
    if (value !== searched.current) setText(value)
    searched.current = value
  }, [value])
  const start = useDebouncedCallback((text: string) => {
    const words = text.trim()
    searched.current = words
    search(words === '' ? null : words)
  }, waitMs)
  return (
    <TextInput
      aria-label="Search alerts"
      placeholder="Search alerts"
      leftSection={<IconSearch size={16} />}
      value={text}
      maxLength={200}
      onChange={(event) => {
        setText(event.currentTarget.value)
        start(event.currentTarget.value)
      }}
    />
  )
}
