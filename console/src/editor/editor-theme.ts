import { HighlightStyle, syntaxHighlighting } from '@codemirror/language'
import type { Extension } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import { tags } from '@lezer/highlight'

/** All colours have a contrast of at least 4.5 : 1. */
const palettes = {
  light: { keyword: '#9d174d', name: '#0d544e', string: '#8a4b08', number: '#1d4ed8', comment: '#5c6a6b' },
  dark: { keyword: '#f9a8d4', name: '#7bcabf', string: '#f2c078', number: '#93c5fd', comment: '#97a4a5' },
}

export function editorTheme(isDark: boolean, minHeight: number): Extension {
  return [
    EditorView.theme(surface(minHeight), { dark: isDark }),
    syntaxHighlighting(highlight(isDark ? 'dark' : 'light')),
  ]
}

function highlight(scheme: keyof typeof palettes): HighlightStyle {
  const colour = palettes[scheme]
  return HighlightStyle.define([
    { tag: [tags.keyword, tags.bool, tags.null], color: colour.keyword },
    {
      tag: [tags.propertyName, tags.function(tags.variableName), tags.definition(tags.variableName)],
      color: colour.name,
    },
    { tag: [tags.string, tags.special(tags.string), tags.regexp], color: colour.string },
    { tag: tags.number, color: colour.number },
    { tag: tags.comment, color: colour.comment, fontStyle: 'italic' },
  ])
}

function surface(minHeight: number) {
  return {
    '&': {
      backgroundColor: 'var(--surface-sunken)',
      color: 'var(--mantine-color-text)',
      border: '1px solid var(--mantine-color-default-border)',
      borderRadius: '8px',
      fontSize: '13px',
      marginTop: '4px',
    },
    '&.cm-focused': { outline: '2px solid var(--mantine-color-anchor)', outlineOffset: '1px' },
    '.cm-scroller': {
      fontFamily: 'var(--mantine-font-family-monospace)',
      minHeight: `${minHeight}px`,
      lineHeight: '1.55',
    },
    '.cm-content': { caretColor: 'var(--mantine-color-text)' },
    '.cm-gutters': { backgroundColor: 'transparent', color: 'var(--mantine-color-dimmed)', border: 'none' },
    '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'transparent' },
    '&.cm-focused .cm-activeLine': {
      backgroundColor: 'color-mix(in srgb, var(--mantine-color-anchor) 7%, transparent)',
    },
    '.cm-tooltip': {
      backgroundColor: 'var(--surface-raised)',
      color: 'var(--mantine-color-text)',
      border: '1px solid var(--mantine-color-default-border)',
      borderRadius: '8px',
    },
    // CodeMirror draws these as data URLs, which the content security policy refuses.
    '.cm-lintRange': { backgroundImage: 'none', textDecoration: 'underline wavy var(--mantine-color-error)' },
    '.cm-lintPoint:after': { borderBottomColor: 'var(--mantine-color-error)' },
    '.cm-lint-marker': { content: '""', width: '8px', height: '8px', margin: '6px 2px', borderRadius: '50%' },
    '.cm-lint-marker-error': { content: '""', backgroundColor: 'var(--mantine-color-error)' },
    '.cm-lint-marker-warning': { content: '""', backgroundColor: 'var(--firing-line)' },
    '.cm-lint-marker-info': { content: '""', backgroundColor: 'var(--mantine-color-dimmed)' },
    '.cm-lintRange-error, .cm-lintRange-warning, .cm-lintRange-info, .cm-lintRange-hint': { backgroundImage: 'none' },
    '.cm-tooltip-autocomplete ul li[aria-selected]': {
      backgroundColor: 'var(--mantine-color-anchor)',
      color: 'var(--mantine-color-body)',
    },
  }
}
