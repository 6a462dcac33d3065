// The package has types for its other languages.
declare module 'altcha/i18n/zh-cn';
