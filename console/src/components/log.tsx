import { Button, Group, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { JsonView } from './json-view.tsx'
import classes from './log.module.css'
import { RelativeTime } from './relative-time.tsx'

type Pages = { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage(): unknown }

/** Log entries, newest first, with a button that loads older ones. */
export function Log({ pages, children }: { pages: Pages; children: ReactNode }) {
  return (
    <>
      <LogLines>{children}</LogLines>
      {pages.hasNextPage && (
        <Group mt="sm">
          <Button
            size="xs"
            variant="default"
            loading={pages.isFetchingNextPage}
            onClick={() => void pages.fetchNextPage()}
          >
            Load older entries
          </Button>
        </Group>
      )}
    </>
  )
}

export function LogLines({ label, children }: { label?: string; children: ReactNode }) {
  return (
    <Stack gap={0} component="ol" className={classes.log} aria-label={label}>
      {children}
    </Stack>
  )
}

type LineProps = { status: ReactNode; at: string; details?: unknown; detailsTitle?: string; children: ReactNode }

export function LogLine({ status, at, details, detailsTitle = 'Details', children }: LineProps) {
  return (
    <li className={classes.line}>
      {status}
      <div className={classes.message}>
        {children}
        {details !== undefined && (
          <details>
            <summary>{detailsTitle}</summary>
            <JsonView value={details} label={detailsTitle.toLowerCase()} maxHeight={200} />
          </details>
        )}
      </div>
      <span className={classes.time}>
        <RelativeTime at={at} />
      </span>
    </li>
  )
}
