import { Modal } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type KeyboardEvent, useDeferredValue, useId, useMemo, useState } from 'react'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { IconSearch } from '../../components/icons.tsx'
import { apiQuery } from '../../data/queries.ts'
import { rememberWorkspace, useCurrentWorkspace } from '../../data/workspace.ts'
import { type Command, findCommands, fixedCommands, workspaceCommands } from './commands.ts'
import classes from './palette.module.css'
import { queryMax } from './query-max.ts'
import { resultCommands } from './results.ts'

const shownMax = 40
const debounceMs = 150

type PaletteProps = { close: () => void; query: string; setQuery: (query: string) => void }

/** Search over pages, actions and things. Arrow keys choose, Enter opens. */
export function Palette({ close, query, setQuery }: PaletteProps) {
  const [at, setAt] = useState(0)
  const listId = useId()
  const { found, isSearching, error } = useFound(useDeferredValue(query))
  const open = useOpen(close)
  const chosen = Math.min(at, Math.max(0, found.length - 1))
  const press = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) {
      event.preventDefault()
      setAt((chosen + step + found.length) % Math.max(1, found.length))
    }
    const command = found[chosen]
    if (event.key === 'Enter' && command) open(command)
  }
  return (
    <Modal.Root opened onClose={close} yOffset="12vh" centered={false} size={620}>
      <Modal.Overlay />
      <Modal.Content aria-label="Search" data-palette>
        <div className={classes.head}>
          <IconSearch />
          <input
            data-autofocus
            className={classes.input}
            role="combobox"
            aria-label="Search or jump to"
            aria-expanded
            aria-controls={listId}
            aria-activedescendant={found.length > 0 ? `${listId}-${chosen}` : undefined}
            placeholder="Search or jump to"
            maxLength={queryMax}
            value={query}
            onChange={(event) => {
              setQuery(event.currentTarget.value)
              setAt(0)
            }}
            onKeyDown={press}
          />
          <kbd>Esc</kbd>
        </div>
        <div id={listId} role="listbox" aria-label="Results" className={classes.results}>
          {found.map((command, index) => (
            <Result
              key={command.id}
              id={`${listId}-${index}`}
              command={command}
              isFirst={found[index - 1]?.group !== command.group}
              isChosen={index === chosen}
              choose={() => setAt(index)}
              open={() => open(command)}
            />
          ))}
        </div>
        <ErrorNotice error={error} title="The search failed" />
        {found.length === 0 && !error && (
          <p className={classes.none}>{isSearching ? 'Searching…' : `Nothing found for “${query}”.`}</p>
        )}
      </Modal.Content>
    </Modal.Root>
  )
}

type Found = { found: Command[]; isSearching: boolean; error: Error | null }

/** Pages, actions and workspaces that fit the words, then what the service finds. */
function useFound(query: string): Found {
  const { current, all } = useCurrentWorkspace()
  const typed = query.trim()
  const [q] = useDebouncedValue(typed, debounceMs)
  const search = useQuery({
    ...apiQuery('search', { query: { q } }),
    enabled: q !== '',
    placeholderData: keepPreviousData,
  })
  const fixed = useMemo(() => [...fixedCommands(current?.fullname), ...workspaceCommands(all)], [current, all])
  const results = typed === '' ? undefined : search.data?.results
  const found = useMemo(
    () => [...findCommands(fixed, query, shownMax), ...resultCommands(results ?? [], current?.fullname)],
    [fixed, query, results, current],
  )
  const isSearching = typed !== '' && (typed !== q || search.isFetching || search.isPaused)
  return { found, isSearching, error: typed === '' ? null : search.error }
}

function useOpen(close: () => void): (command: Command) => void {
  const navigate = useNavigate()
  return ({ link, workspace }) => {
    if (workspace !== undefined) rememberWorkspace(workspace)
    close()
    void navigate(link)
  }
}

type ResultProps = {
  id: string
  command: Command
  isFirst: boolean
  isChosen: boolean
  choose: () => void
  open: () => void
}

function Result({ id, command: { group, title, hint, icon: Icon }, isFirst, isChosen, choose, open }: ResultProps) {
  return (
    <>
      {isFirst && (
        <div className={classes.group} role="presentation">
          {group}
        </div>
      )}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys of all results */}
      {/* biome-ignore lint/a11y/useFocusableInteractive: aria-activedescendant points here, the focus stays in the field */}
      <div
        id={id}
        role="option"
        aria-selected={isChosen}
        className={classes.result}
        onMouseMove={choose}
        onClick={open}
        ref={(element) => (isChosen ? element?.scrollIntoView({ block: 'nearest' }) : undefined)}
      >
        <Icon size={16} />
        <span className={classes.title}>{title}</span>
        {hint && <span className={classes.hint}>{hint}</span>}
      </div>
    </>
  )
}
