import { autocompletion, type CompletionContext, type CompletionResult } from '@codemirror/autocomplete'
import { javascript } from '@codemirror/lang-javascript'
import { json } from '@codemirror/lang-json'
import { type Diagnostic, lintGutter, setDiagnostics } from '@codemirror/lint'
import { Annotation, Compartment, EditorState, type Extension, type Text } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import { useMantineColorScheme } from '@mantine/core'
import { basicSetup } from 'codemirror'
import { useEffect, useEffectEvent, useRef } from 'react'
import { nonce } from '../data/nonce.ts'
import { editorTheme } from './editor-theme.ts'
import type { Complete, EditorProps, Mark } from './types.ts'
import { useTextReports } from './use-text-reports.ts'

type CodeMirrorProps = EditorProps & { labelId: string; isInvalid: boolean; minHeight: number }

/** Marks a change that the parent made, not the user. */
const fromParent = Annotation.define<boolean>()

/** The CodeMirror editor. It owns the document while the user types; a new `value` replaces the document. */
export default function CodeMirror(props: CodeMirrorProps) {
  const { value, marks, language, labelId, minHeight, isInvalid } = props
  const container = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView>(undefined)
  const themeCompartment = useRef(new Compartment())
  const validityCompartment = useRef(new Compartment())
  const { colorScheme } = useMantineColorScheme()
  const isDark = document.documentElement.dataset.mantineColorScheme === 'dark'
  const { changed, flush, isReplaced } = useTextReports(value, props.onChange)
  const propose = useEffectEvent((context: CompletionContext) => completionAt(context, props.complete))

  const createEditor = useEffectEvent((parent: HTMLElement) => {
    const extensions = [
      basicSetup,
      language === 'json' ? json() : javascript(),
      EditorView.cspNonce.of(nonce),
      EditorView.lineWrapping,
      EditorView.contentAttributes.of({ 'aria-labelledby': labelId }),
      EditorView.updateListener.of((update) => {
        const isTyped = !update.transactions.some((transaction) => transaction.annotation(fromParent))
        if (update.docChanged && isTyped) changed(update.state.doc)
      }),
      // A click on a button or a tab must not lose what was typed last.
      EditorView.domEventHandlers({ blur: () => flush() }),
      autocompletion({ override: [(context) => propose(context)] }),
      lintGutter(),
      insertByEditor(),
      themeCompartment.current.of(editorTheme(isDark, minHeight)),
      validityCompartment.current.of(validityOf(isInvalid)),
    ]
    return new EditorView({ parent, state: EditorState.create({ doc: value, extensions }) })
  })

  // biome-ignore lint/correctness/useExhaustiveDependencies: only these props need a new editor; the effects below dispatch the others
  useEffect(() => {
    if (!container.current) return
    const editor = createEditor(container.current)
    view.current = editor
    return () => {
      flush()
      editor.destroy()
    }
  }, [language, labelId])

  // biome-ignore lint/correctness/useExhaustiveDependencies: isReplaced is an effect event
  useEffect(() => {
    const editor = view.current
    if (!editor || !isReplaced(value)) return
    const changes = { from: 0, to: editor.state.doc.length, insert: value }
    editor.dispatch({ changes, annotations: fromParent.of(true) })
  }, [value])

  useEffect(() => {
    const editor = view.current
    if (editor) editor.dispatch(setDiagnostics(editor.state, diagnosticsOf(editor.state.doc, marks ?? [])))
  }, [marks])

  // biome-ignore lint/correctness/useExhaustiveDependencies: isDark is read from the document, which a change of colorScheme updates
  useEffect(() => {
    view.current?.dispatch({ effects: themeCompartment.current.reconfigure(editorTheme(isDark, minHeight)) })
  }, [colorScheme, isDark, minHeight])

  useEffect(() => {
    view.current?.dispatch({ effects: validityCompartment.current.reconfigure(validityOf(isInvalid)) })
  }, [isInvalid])

  return <div ref={container} />
}

/** Marks the field as invalid for screen readers, like other inputs. */
function validityOf(isInvalid: boolean) {
  return EditorView.contentAttributes.of({ 'aria-invalid': String(isInvalid) })
}

function completionAt(context: CompletionContext, complete: Complete | undefined): CompletionResult | null {
  const path = context.matchBefore(/[\w$.[\]]*/)
  if (!complete || !path || (path.from === path.to && !context.explicit)) return null
  const dot = path.text.lastIndexOf('.')
  const options = complete(path.text.slice(0, dot + 1)).map(({ label, detail, info, kind }) => ({
    label,
    type: kind ?? 'property',
    ...(detail !== undefined && { detail }),
    ...(info !== undefined && { info }),
  }))
  return options.length === 0 ? null : { from: path.from + dot + 1, options, validFor: /^[\w$]*$/ }
}

function diagnosticsOf(doc: Text, marks: Mark[]): Diagnostic[] {
  return marks.map(({ line, column, message, severity = 'error' }) => {
    const found = doc.line(Math.min(Math.max(1, line), doc.lines))
    const from = column === undefined ? found.from : Math.min(found.from + Math.max(0, column - 1), found.to)
    return { from, to: found.to, message, severity }
  })
}

/**
 * Makes CodeMirror, not Chromium, replace a selection and insert several lines. When Chromium joins lines, it writes
 * style attributes, which the content security policy refuses. When Chromium inserts lines, it updates the layout after
 * each line.
 */
function insertByEditor(): Extension {
  return EditorView.domEventHandlers({
    beforeinput: (event, view) => {
      const { state } = view
      const { data: text, inputType } = event
      if (inputType !== 'insertText' || !text || view.composing || state.readOnly) return false
      const { from, to, empty } = state.selection.main
      if (empty && !text.includes('\n')) return false
      event.preventDefault()
      const insert = () =>
        view.state.update(view.state.replaceSelection(text), { userEvent: 'input.type', scrollIntoView: true })
      const handlers = state.facet(EditorView.inputHandler)
      if (!handlers.some((handle) => handle(view, from, to, text, insert))) view.dispatch(insert())
      return true
    },
  })
}
