// Stands in for Stripe.js, as the double stands in for Stripe: the few calls that our pages make, with a form without frames.
// It takes test cards alone, and says so.
(() => {
  const { origin } = new URL(document.currentScript.src);

  const WORDS = {
    en: {
      test: 'TEST MODE. Take one of these, with any later month and any code:',
      number: 'Card number',
      expiry: 'Valid to (MM / YY)',
      code: 'Security code',
      pays: 'pays',
      declines: 'is declined',
      asks: 'asks your bank',
      wrongNumber: 'That is no test card.',
      wrongExpiry: 'A month of the future: MM / YY.',
      wrongCode: 'Three or four digits.',
      bank: 'TEST MODE: this is your bank. Is it you who pays?',
      yes: 'Yes, it is me',
      no: 'No',
    },
    zh: {
      test: '测试模式。请使用以下卡号，有效期填写任意未来月份，安全码任意：',
      number: '卡号',
      expiry: '有效期（MM / YY）',
      code: '安全码',
      pays: '支付成功',
      declines: '被拒绝',
      asks: '需要银行验证',
      wrongNumber: '不是测试卡号。',
      wrongExpiry: '请填写未来的月份：MM / YY。',
      wrongCode: '请输入三或四位数字。',
      bank: '测试模式：模拟发卡行验证。是您本人付款吗？',
      yes: '是本人',
      no: '不是',
    },
    ja: {
      test: 'テストモード。次の番号と、将来の任意の月、任意のコードを入力してください：',
      number: 'カード番号',
      expiry: '有効期限（MM / YY）',
      code: 'セキュリティコード',
      pays: '支払い成功',
      declines: '拒否',
      asks: '本人認証あり',
      wrongNumber: 'テストカードの番号ではありません。',
      wrongExpiry: '将来の月を MM / YY で入力してください。',
      wrongCode: '3 桁または 4 桁の数字を入力してください。',
      bank: 'テストモード：カード会社の本人認証です。ご本人ですか？',
      yes: 'はい、本人です',
      no: 'いいえ',
    },
  };
  const SUGGESTED = [
    ['4242 4242 4242 4242', 'pays'],
    ['4000 0000 0000 0002', 'declines'],
    ['4000 0025 0000 3155', 'asks'],
  ];

  const draw = (tag, style = {}, facts = {}) => {
    const element = Object.assign(document.createElement(tag), facts);
    Object.assign(element.style, style);
    return element;
  };

  const pathOf = (secret) => {
    const [id] = secret.split('_secret_');
    return `${origin}/v1/${id.startsWith('seti_') ? 'setup_intents' : 'payment_intents'}/${id}`;
  };

  /** `{ intent }` or `{ error }`. */
  const ask = async (url, form) => {
    const answer = await fetch(url, form && { method: 'POST', body: new URLSearchParams(form) });
    const body = await answer.json();
    return body.error ? { error: body.error } : { intent: body };
  };
  const read = (secret) => ask(`${pathOf(secret)}?client_secret=${encodeURIComponent(secret)}`);

  class PaymentElement {
    constructor(secret, words, looks) {
      this.secret = secret;
      this.words = words;
      this.looks = looks;
      this.fields = {};
      this.heard = {};
    }

    on(event, heard) {
      this.heard[event] = heard;
      return this;
    }

    mount(place) {
      this.root = draw('div', {
        display: 'grid',
        gap: '12px',
        fontFamily: this.looks.fontFamily ?? 'inherit',
        fontSize: '15px',
        color: this.looks.colorText,
      });
      this.root.append(this.#note(this.words.test), this.#cards(), ...this.#inputs());
      (typeof place === 'string' ? document.querySelector(place) : place).replaceChildren(this.root);
      queueMicrotask(() => this.heard.ready?.());
    }

    unmount() {
      this.root?.remove();
    }

    destroy() {
      this.unmount();
    }

    /** The entered values, or the error. */
    card() {
      const { number, expiry, code } = this.fields;
      const digits = number.value.replace(/\D/g, '');
      const [, month = '', year = ''] = /^\s*(\d{1,2})\s*\/\s*(?:20)?(\d{2})\s*$/.exec(expiry.value) ?? [];
      const end = new Date(2000 + Number(year), Number(month), 1);
      const problems = {
        number: /^\d{14,19}$/.test(digits) ? '' : this.words.wrongNumber,
        expiry: Number(month) >= 1 && Number(month) <= 12 && end > new Date() ? '' : this.words.wrongExpiry,
        code: /^\d{3,4}$/.test(code.value.trim()) ? '' : this.words.wrongCode,
      };
      for (const [name, problem] of Object.entries(problems)) this.#tell(name, problem);
      const [wrong] = Object.entries(problems).filter(([, problem]) => problem !== '');
      if (wrong) {
        this.fields[wrong[0]].focus();
        return { error: { type: 'validation_error', message: wrong[1] } };
      }
      return {
        data: {
          'payment_method_data[type]': 'card',
          'payment_method_data[card][number]': digits,
          'payment_method_data[card][exp_month]': `${Number(month)}`,
          'payment_method_data[card][exp_year]': `20${year}`,
        },
      };
    }

    #note(text) {
      return draw('p', { margin: 0, fontSize: '14px' }, { textContent: text });
    }

    #cards() {
      const list = draw('div', { display: 'flex', flexWrap: 'wrap', gap: '8px' });
      for (const [number, does] of SUGGESTED) {
        const button = this.#button(`${number}: ${this.words[does]}`);
        button.style.fontSize = '13px';
        button.addEventListener('click', () => {
          this.fields.number.value = number;
          this.fields.expiry.value = `12 / ${`${new Date().getFullYear() + 3}`.slice(-2)}`;
          this.fields.code.value = '123';
        });
        list.append(button);
      }
      return list;
    }

    #inputs() {
      const row = draw('div', { display: 'grid', gridTemplateColumns: '1fr 1fr', gap: '12px' });
      row.append(this.#input('expiry', 'MM / YY', 'cc-exp'), this.#input('code', '123', 'cc-csc'));
      return [this.#input('number', '4242 4242 4242 4242', 'cc-number'), row];
    }

    #input(name, placeholder, autocomplete) {
      const id = `card-form-${name}`;
      const field = draw('div', { display: 'grid', gap: '4px', alignContent: 'start' });
      const label = draw('label', { fontSize: '14px' }, { htmlFor: id, textContent: this.words[name] });
      const input = draw(
        'input',
        {
          font: 'inherit',
          padding: '9px 12px',
          color: 'inherit',
          background: this.looks.colorBackground ?? 'transparent',
          border: '1px solid currentColor',
          borderRadius: this.looks.borderRadius ?? '8px',
          width: '100%',
          boxSizing: 'border-box',
        },
        { id, name, placeholder, autocomplete, inputMode: 'numeric', required: true },
      );
      const problem = draw('span', { color: this.looks.colorDanger, fontSize: '13px' }, { id: `${id}-problem` });
      problem.setAttribute('role', 'alert');
      input.setAttribute('aria-describedby', problem.id);
      this.fields[name] = input;
      field.append(label, input, problem);
      return field;
    }

    #tell(name, problem) {
      const input = this.fields[name];
      input.setAttribute('aria-invalid', `${problem !== ''}`);
      input.parentElement.lastElementChild.textContent = problem;
    }

    #button(text) {
      return draw(
        'button',
        {
          font: 'inherit',
          color: 'inherit',
          background: 'transparent',
          border: '1px solid currentColor',
          borderRadius: '8px',
          padding: '6px 12px',
          cursor: 'pointer',
        },
        { type: 'button', textContent: text },
      );
    }
  }

  /** Shows the bank's question over the page; resolves with true if the answer was yes. */
  const askBank = (words) =>
    new Promise((resolve) => {
      const dialog = draw('dialog', {
        borderRadius: '8px',
        padding: '24px',
        maxWidth: '24rem',
        font: '16px sans-serif',
      });
      const text = draw('p', { marginTop: 0 }, { id: 'card-form-bank', textContent: words.bank });
      dialog.setAttribute('aria-labelledby', text.id);
      const row = draw('div', { display: 'flex', gap: '8px' });
      for (const isRight of [true, false]) {
        const style = { font: 'inherit', padding: '8px 16px' };
        const button = draw('button', style, { type: 'button', textContent: isRight ? words.yes : words.no });
        button.addEventListener('click', () => {
          dialog.remove();
          resolve(isRight);
        });
        row.append(button);
      }
      dialog.addEventListener('cancel', (event) => event.preventDefault());
      dialog.append(text, row);
      document.body.append(dialog);
      dialog.showModal();
    });

  globalThis.Stripe = (_key, { locale = 'en' } = {}) => {
    const words = WORDS[locale.slice(0, 2)] ?? WORDS.en;

    const afterBank = async (secret, answer) => {
      const action = answer.intent?.next_action;
      if (!action) return answer;
      const isRight = await askBank(words);
      // It leads back to our page, which is here already.
      await fetch(`${action.redirect_to_url.url}?answer=${isRight ? 'yes' : 'no'}`, { redirect: 'manual' });
      const { intent, error } = await read(secret);
      const failed = intent?.last_payment_error ?? intent?.last_setup_error;
      return error || (failed && intent.status !== 'succeeded') ? { error: error ?? failed } : { intent };
    };

    const confirm = async ({ elements, confirmParams = {} }) => {
      const { data, error } = elements.element.card();
      if (error) return { error };
      const { secret } = elements.element;
      const form = { ...data, client_secret: secret, ...confirmParams };
      return afterBank(secret, await ask(`${pathOf(secret)}/confirm`, form));
    };

    const named = (name) => (answer) => (answer.error ? answer : { [name]: answer.intent });
    return {
      elements({ clientSecret, appearance = {} }) {
        const made = {
          create() {
            made.element = new PaymentElement(clientSecret, words, appearance.variables ?? {});
            return made.element;
          },
        };
        return made;
      },
      confirmPayment: (wish) => confirm(wish).then(named('paymentIntent')),
      confirmSetup: (wish) => confirm(wish).then(named('setupIntent')),
      retrievePaymentIntent: (secret) => read(secret).then(named('paymentIntent')),
      handleNextAction: async ({ clientSecret }) =>
        named('paymentIntent')(await afterBank(clientSecret, await read(clientSecret))),
    };
  };
})();
