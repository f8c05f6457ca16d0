import { ActionIcon, Button, Tooltip } from '@mantine/core'
import { useTimeout } from '@mantine/hooks'
import { useState } from 'react'
import { warn } from '../data/notices.ts'
import { copyText } from './copy-text.ts'
import { IconCheck, IconCopy } from './icons.tsx'

const saidMs = 2_000

/** Copies a value; says so. `what` is named to screen readers, such as “token”. */
export function CopyButton({ value, what, isWide = false }: { value: string; what: string; isWide?: boolean }) {
  const [isCopied, setCopied] = useState(false)
  const { start } = useTimeout(() => setCopied(false), saidMs)
  const copy = async () => {
    if (!(await copyText(value)))
      return warn(`The browser let nothing be copied. Select the ${what} and copy it by hand.`)
    setCopied(true)
    start()
  }
  const label = isCopied ? 'Copied' : `Copy ${what}`
  if (isWide)
    return (
      <Button variant="default" leftSection={isCopied ? <IconCheck /> : <IconCopy />} onClick={() => void copy()}>
        {label}
      </Button>
    )
  return (
    <Tooltip label={label}>
      <ActionIcon variant="subtle" color="gray" onClick={() => void copy()} aria-label={label}>
        {isCopied ? <IconCheck size={16} /> : <IconCopy size={16} />}
      </ActionIcon>
    </Tooltip>
  )
}
