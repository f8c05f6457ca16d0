import { ActionIcon, Button, CopyButton as Copied, Tooltip } from '@mantine/core'
import { IconCheck, IconCopy } from './icons.tsx'

/** Copies a value; says so. `what` is named to screen readers, such as “token”. */
export function CopyButton({ value, what, isWide = false }: { value: string; what: string; isWide?: boolean }) {
  return (
    <Copied value={value} timeout={2_000}>
      {({ copied, copy }) =>
        isWide ? (
          <Button variant="default" leftSection={copied ? <IconCheck /> : <IconCopy />} onClick={copy}>
            {copied ? 'Copied' : `Copy ${what}`}
          </Button>
        ) : (
          <Tooltip label={copied ? 'Copied' : `Copy ${what}`}>
            <ActionIcon variant="subtle" color="gray" onClick={copy} aria-label={copied ? 'Copied' : `Copy ${what}`}>
              {copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
            </ActionIcon>
          </Tooltip>
        )
      }
    </Copied>
  )
}
