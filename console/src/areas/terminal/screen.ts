// The screen of a terminal: xterm with what fits, finds and links, as one thing that a page opens in an element.
import { MONO } from '@gantry/ui/theme/theme.ts';
import '@xterm/xterm/css/xterm.css';
import { FitAddon } from '@xterm/addon-fit';
import { SearchAddon } from '@xterm/addon-search';
import { WebLinksAddon } from '@xterm/addon-web-links';
import { type ITheme, Terminal } from '@xterm/xterm';
import { monoFontLoaded } from '../../parts/mono-font.ts';
import { type PageKey, pageKey } from './page-key.ts';
import type { ScreenOptions } from './screen-options.ts';
import type { Size } from './terminal-connection.ts';

export interface ScreenEvents {
  onText(text: string): void;
  onBinary(binary: string): void;
  onSize(size: Size): void;
  /** Keys that are the page's: nothing is typed by them. */
  onKey(key: Exclude<PageKey, 'paste'>): void;
  onSelection(hasSelection: boolean): void;
}

const SCROLLBACK_LINES = 10_000;
const MOST_MARKS = 1000;
/** No colours, no marks of a paste, no reports of a mouse: what a broken connection left set. */
const RESTORED = '\x1b[!p\x1b[?2004l\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[0m';
/** From the screen that editors and pagers draw on. On the first one it would move the cursor. */
const FIRST_SCREEN = '\x1b[?1049l';

export class Screen {
  readonly #terminal: Terminal;
  readonly #fit = new FitAddon();
  readonly #search = new SearchAddon({ highlightLimit: MOST_MARKS });
  readonly #observer: ResizeObserver;
  #isOver = false;

  constructor(element: HTMLElement, fontFamily: string, label: string, events: ScreenEvents) {
    const terminal = new Terminal({
      allowProposedApi: true,
      cursorBlink: true,
      fontFamily,
      macOptionIsMeta: true,
      rightClickSelectsWord: false,
      scrollback: SCROLLBACK_LINES,
    });
    this.#terminal = terminal;
    terminal.loadAddon(this.#fit);
    terminal.loadAddon(this.#search);
    terminal.loadAddon(new WebLinksAddon((_, uri) => window.open(uri, '_blank', 'noopener,noreferrer')));
    terminal.open(element);
    terminal.textarea?.setAttribute('aria-label', label);
    terminal.onData(events.onText);
    terminal.onBinary(events.onBinary);
    terminal.onResize(events.onSize);
    terminal.onSelectionChange(() => events.onSelection(terminal.hasSelection()));
    terminal.attachCustomKeyEventHandler((event) => {
      const key = pageKey(event);
      if (key === undefined) return true;
      // Left to the browser it becomes a paste, which arrives as text.
      if (key === 'paste') return false;
      event.preventDefault();
      if (event.type === 'keydown') events.onKey(key);
      return false;
    });
    this.#observer = new ResizeObserver(() => this.fit());
    this.#observer.observe(element);
    // The letters are measured when their font is set: first one that is there.
    void monoFontLoaded().then(() => {
      if (this.#isOver) return;
      terminal.options.fontFamily = MONO;
      this.fit();
    });
  }

  get size(): Size {
    return { cols: this.#terminal.cols, rows: this.#terminal.rows };
  }

  fit(): void {
    this.#fit.fit();
  }

  set({ fontSize, isRead }: ScreenOptions, theme: ITheme): void {
    Object.assign(this.#terminal.options, { fontSize, screenReaderMode: isRead, theme });
    this.fit();
  }

  write(bytes: Uint8Array, drawn: () => void): void {
    this.#terminal.write(bytes, drawn);
  }

  /** Keeps the output; a line separates the former shell from the next. */
  separate(text: string): void {
    const left = this.#terminal.buffer.active.type === 'alternate' ? FIRST_SCREEN : '';
    this.#terminal.write(`${left}${RESTORED}\r\n\x1b[2m── ${text} ──\x1b[0m\r\n`);
  }

  /** Empty, as if just opened: what was shown is shown again. */
  restart(): void {
    this.#terminal.reset();
  }

  focus(): void {
    this.#terminal.focus();
  }

  selection(): string {
    return this.#terminal.getSelection();
  }

  /** As one paste: a shell that asked for marks around it gets them. */
  paste(text: string): void {
    this.#terminal.paste(text);
    this.focus();
  }

  /** As if a key of the keyboard had been pressed. */
  press(sequence: string): void {
    this.#terminal.input(sequence, true);
    this.focus();
  }

  /** Whether there is one. */
  find(text: string, isBack: boolean): boolean {
    const options = {
      decorations: {
        matchBackground: '#8a6d1f',
        matchOverviewRuler: '#8a6d1f',
        activeMatchBackground: '#b3541e',
        activeMatchColorOverviewRuler: '#b3541e',
      },
    };
    return isBack ? this.#search.findPrevious(text, options) : this.#search.findNext(text, options);
  }

  endSearch(): void {
    this.#search.clearDecorations();
    this.focus();
  }

  close(): void {
    this.#isOver = true;
    this.#observer.disconnect();
    this.#terminal.dispose();
  }
}
