package web

// This file writes values as the contract's JSON: CJK, '<', '>' and '&'
// literal, lists never null, one final newline.

import (
	"bytes"
	"encoding/json"
	"reflect"
)

// Encode writes v as JSON with keys in declared order, '<', '>' and '&' as
// they are, nil slices as [] and a final newline. An indent of "" writes it on
// one line. v itself is not changed.
func Encode(v any, indent string) ([]byte, error) {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", indent)
	if err := encoder.Encode(withoutNil(v)); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// withoutNil returns a copy of v in which every nil slice that would be
// written is empty.
func withoutNil(v any) any {
	if v == nil {
		return nil
	}
	filled := reflect.New(reflect.TypeOf(v)).Elem()
	filled.Set(reflect.ValueOf(v))
	fill(filled)
	return filled.Interface()
}

// fill replaces nil slices in v, which must be settable. Slices that hold
// structs are copied before they are touched.
func fill(v reflect.Value) {
	switch v.Kind() {
	case reflect.Slice:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			return // bytes and raw JSON
		}
		if v.IsNil() {
			v.Set(reflect.MakeSlice(v.Type(), 0, 0))
			return
		}
		if k := v.Type().Elem().Kind(); k == reflect.Struct || k == reflect.Slice || k == reflect.Pointer {
			c := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
			reflect.Copy(c, v)
			v.Set(c)
			for i := range c.Len() {
				fill(c.Index(i))
			}
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				fill(v.Field(i))
			}
		}
	case reflect.Pointer:
		if !v.IsNil() && v.Elem().Kind() == reflect.Struct {
			c := reflect.New(v.Type().Elem())
			c.Elem().Set(v.Elem())
			v.Set(c)
			fill(c.Elem())
		}
	}
}
