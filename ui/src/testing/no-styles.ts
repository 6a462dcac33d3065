// Stands for style sheets, which a bundler alone can import.
export {};
