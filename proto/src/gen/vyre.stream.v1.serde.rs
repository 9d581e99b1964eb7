impl serde::Serialize for Accepted {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let len = 0;
        let struct_ser = serializer.serialize_struct("vyre.stream.v1.Accepted", len)?;
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for Accepted {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            __SkipField__,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                            Ok(GeneratedField::__SkipField__)
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = Accepted;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct vyre.stream.v1.Accepted")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<Accepted, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                while map_.next_key::<GeneratedField>()?.is_some() {
                    let _ = map_.next_value::<serde::de::IgnoredAny>()?;
                }
                Ok(Accepted {
                })
            }
        }
        deserializer.deserialize_struct("vyre.stream.v1.Accepted", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for Answer {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if self.answer.is_some() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("vyre.stream.v1.Answer", len)?;
        if let Some(v) = self.answer.as_ref() {
            match v {
                answer::Answer::Body(v) => {
                    #[allow(clippy::needless_borrow)]
                    #[allow(clippy::needless_borrows_for_generic_args)]
                    struct_ser.serialize_field("body", pbjson::private::base64::encode(&v).as_str())?;
                }
                answer::Answer::Error(v) => {
                    struct_ser.serialize_field("error", v)?;
                }
            }
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for Answer {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "body",
            "error",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Body,
            Error,
            __SkipField__,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "body" => Ok(GeneratedField::Body),
                            "error" => Ok(GeneratedField::Error),
                            _ => Ok(GeneratedField::__SkipField__),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = Answer;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct vyre.stream.v1.Answer")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<Answer, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut answer__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Body => {
                            if answer__.is_some() {
                                return Err(serde::de::Error::duplicate_field("body"));
                            }
                            answer__ = map_.next_value::<::std::option::Option<::pbjson::private::BytesDeserialize<_>>>()?.map(|x| answer::Answer::Body(x.0));
                        }
                        GeneratedField::Error => {
                            if answer__.is_some() {
                                return Err(serde::de::Error::duplicate_field("error"));
                            }
                            answer__ = map_.next_value::<::std::option::Option<_>>()?.map(answer::Answer::Error)
;
                        }
                        GeneratedField::__SkipField__ => {
                            let _ = map_.next_value::<serde::de::IgnoredAny>()?;
                        }
                    }
                }
                Ok(Answer {
                    answer: answer__,
                })
            }
        }
        deserializer.deserialize_struct("vyre.stream.v1.Answer", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for AnswerBlock {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.text.is_empty() {
            len += 1;
        }
        if !self.sources.is_empty() {
            len += 1;
        }
        if !self.fields.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("vyre.stream.v1.AnswerBlock", len)?;
        if !self.text.is_empty() {
            struct_ser.serialize_field("text", &self.text)?;
        }
        if !self.sources.is_empty() {
            struct_ser.serialize_field("sources", &self.sources)?;
        }
        if !self.fields.is_empty() {
            struct_ser.serialize_field("fields", &self.fields)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for AnswerBlock {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "text",
            "sources",
            "fields",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Text,
            Sources,
            Fields,
            __SkipField__,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "text" => Ok(GeneratedField::Text),
                            "sources" => Ok(GeneratedField::Sources),
                            "fields" => Ok(GeneratedField::Fields),
                            _ => Ok(GeneratedField::__SkipField__),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = AnswerBlock;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct vyre.stream.v1.AnswerBlock")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<AnswerBlock, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut text__ = None;
                let mut sources__ = None;
                let mut fields__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Text => {
                            if text__.is_some() {
                                return Err(serde::de::Error::duplicate_field("text"));
                            }
                            text__ = Some(map_.next_value()?);
                        }
                        GeneratedField::Sources => {
                            if sources__.is_some() {
                                return Err(serde::de::Error::duplicate_field("sources"));
                            }
                            sources__ = Some(map_.next_value()?);
                        }
                        GeneratedField::Fields => {
                            if fields__.is_some() {
                                return Err(serde::de::Error::duplicate_field("fields"));
                            }
                            fields__ = Some(map_.next_value()?);
                        }
                        GeneratedField::__SkipField__ => {
                            let _ = map_.next_value::<serde::de::IgnoredAny>()?;
                        }
                    }
                }
                Ok(AnswerBlock {
                    text: text__.unwrap_or_default(),
                    sources: sources__.unwrap_or_default(),
                    fields: fields__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("vyre.stream.v1.AnswerBlock", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for Ask {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.ask.is_empty() {
            len += 1;
        }
        if !self.question.is_empty() {
            len += 1;
        }
        if !self.options.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("vyre.stream.v1.Ask", len)?;
        if !self.ask.is_empty() {
            struct_ser.serialize_field("ask", &self.ask)?;
        }
        if !self.question.is_empty() {
            struct_ser.serialize_field("question", &self.question)?;
        }
        if !self.options.is_empty() {
            struct_ser.serialize_field("options", &self.options)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for Ask {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "ask",
            "question",
            "options",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Ask,
            Question,
            Options,
            __SkipField__,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "ask" => Ok(GeneratedField::Ask),
                            "question" => Ok(GeneratedField::Question),
                            "options" => Ok(GeneratedField::Options),
                            _ => Ok(GeneratedField::__SkipField__),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = Ask;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct vyre.stream.v1.Ask")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<Ask, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut ask__ = None;
                let mut question__ = None;
                let mut options__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Ask => {
                            if ask__.is_some() {
                                return Err(serde::de::Error::duplicate_field("ask"));
                            }
                            ask__ = Some(map_.next_value()?);
                        }
                        GeneratedField::Question => {
                            if question__.is_some() {
                                return Err(serde::de::Error::duplicate_field("question"));
                            }
                            question__ = Some(map_.next_value()?);
                        }
                        GeneratedField::Options => {
                            if options__.is_some() {
                                return Err(serde::de::Error::duplicate_field("options"));
                            }
                            options__ = Some(map_.next_value()?);
                        }
                        GeneratedField::__SkipField__ => {
                            let _ = map_.next_value::<serde::de::IgnoredAny>()?;
                        }
                    }
                }
                Ok(Ask {
                    ask: ask__.unwrap_or_default(),
                    question: question__.unwrap_or_default(),
                    options: options__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("vyre.stream.v1.Ask", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for AskAnswer {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.session.is_empty() {
            len += 1;
        }
        if !self.ask.is_empty() {
            len += 1;
        }
        if !self.answer.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("vyre.stream.v1.AskAnswer", len)?;
        if !self.session.is_empty() {
            struct_ser.serialize_field("session", &self.session)?;
        }
        if !self.ask.is_empty() {
            struct_ser.serialize_field("ask", &self.ask)?;
        }
        if !self.answer.is_empty() {
            struct_ser.serialize_field("answer", &self.answer)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for AskAnswer {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "session",
            "ask",
            "answer",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Session,
            Ask,
            Answer,
            __SkipField__,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "session" => Ok(GeneratedField::Session),
                            "ask" => Ok(GeneratedField::Ask),
                            "answer" => Ok(GeneratedField::Answer),
                            _ => Ok(GeneratedField::__SkipField__),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = AskAnswer;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct vyre.stream.v1.AskAnswer")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<AskAnswer, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut session__ = None;
                let mut ask__ = None;
                let mut answer__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Session => {
                            if session__.is_some() {
                                return Err(serde::de::Error::duplicate_field("session"));
                            }
                            session__ = Some(map_.next_value()?);
                        }
                        GeneratedField::Ask => {
                            if ask__.is_some() {
                                return Err(serde::de::Error::duplicate_field("ask"));
                            }
                            ask__ = Some(map_.next_value()?);
                        }
                        GeneratedField::Answer => {
                            if answer__.is_some() {
                                return Err(serde::de::Error::duplicate_field("answer"));
                            }
                            answer__ = Some(map_.next_value()?);
                        }
                        GeneratedField::__SkipField__ => {
                            let _ = map_.next_value::<serde::de::IgnoredAny>()?;
                        }
                    }
                }
                Ok(AskAnswer {
                    session: session__.unwrap_or_default(),
                    ask: ask__.unwrap_or_default(),
                    answer: answer__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("vyre.stream.v1.AskAnswer", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for AskAnswerTaken {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let len = 0;
        let struct_ser = serializer.serialize_struct("vyre.stream.v1.AskAnswerTaken", len)?;
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for AskAnswerTaken {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            __SkipField__,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                            Ok(GeneratedField::__SkipField__)
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = AskAnswerTaken;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct vyre.stream.v1.AskAnswerTaken")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<AskAnswerTaken, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                while map_.next_key::<GeneratedField>()?.is_some() {
                    let _ = map_.next_value::<serde::de::IgnoredAny>()?;
                }
                Ok(AskAnswerTaken {
                })
            }
        }
        deserializer.deserialize_struct("vyre.stream.v1.AskAnswerTaken", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for AskAnswered {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.ask.is_empty() {
            len += 1;
        }
        if !self.answer.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("vyre.stream.v1.AskAnswered", len)?;
        if !self.ask.is_empty() {
            struct_ser.serialize_field("ask", &self.ask)?;
        }
        if !self.answer.is_empty() {
            struct_ser.serialize_field("answer", &self.answer)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for AskAnswered {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "ask",
            "answer",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Ask,
            Answer,
            __SkipField__,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "ask" => Ok(GeneratedField::Ask),
                            "answer" => Ok(GeneratedField::Answer),
                            _ => Ok(GeneratedField::__SkipField__),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = AskAnswered;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct vyre.stream.v1.AskAnswered")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<AskAnswered, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut ask__ = None;
                let mut answer__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Ask => {
                            if ask__.is_some() {
                                return Err(serde::de::Error::duplicate_field("ask"));
                            }
                            ask__ = Some(map_.next_value()?);
                        }
                        GeneratedField::Answer => {
                            if answer__.is_some() {
                                return Err(serde::de::Error::duplicate_field("answer"));
                            }
                            answer__ = Some(map_.next_value()?);
                        }
                        GeneratedField::__SkipField__ => {
                            let _ = map_.next_value::<serde::de::IgnoredAny>()?;
                        }
                    }
                }
                Ok(AskAnswered {
                    ask: ask__.unwrap_or_default(),
                    answer: answer__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("vyre.stream.v1.AskAnswered", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for AskOpened {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.ask.is_empty() {
            len += 1;
        }
        if !self.question.is_empty() {
            len += 1;
        }
        if !self.options.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("vyre.stream.v1.AskOpened", len)?;
        if !self.ask.is_empty() {
            struct_ser.serialize_field("ask", &self.ask)?;
        }
        if !self.question.is_empty() {
            struct_ser.serialize_field("question", &self.question)?;
        }
        if !self.options.is_empty() {
            struct_ser.serialize_field("options", &self.options)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for AskOpened {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "ask",
            "question",
            "options",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Ask,
            Question,
            Options,
            __SkipField__,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "ask" => Ok(GeneratedField::Ask),
                            "question" => Ok(GeneratedField::Question),
                            "options" => Ok(GeneratedField::Options),
                            _ => Ok(GeneratedField::__SkipField__),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = AskOpened;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct vyre.stream.v1.AskOpened")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<AskOpened, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut ask__ = None;
                let mut question__ = None;
                let mut options__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Ask => {
                            if ask__.is_some() {
                                return Err(serde::de::Error::duplicate_field("ask"));
                            }
                            ask__ = Some(map_.next_value()?);
                        }
                        GeneratedField::Question => {
                            if question__.is_some() {
                                return Err(serde::de::Error::duplicate_field("question"));
                            }
                            question__ = Some(map_.next_value()?);
                        }
                        GeneratedField::Options => {
                            if options__.is_some() {
                                return Err(serde::de::Error::duplicate_field("options"));
                            }
                            options__ = Some(map_.next_value()?);
                        }
                        GeneratedField::__SkipField__ => {
                            let _ = map_.next_value::<serde::de::IgnoredAny>()?;
                        }
                    }
                }
                Ok(AskOpened {
                    ask: ask__.unwrap_or_default(),
                    question: question__.unwrap_or_default(),
                    options: options__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("vyre.stream.v1.AskOpened", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for AskReplied {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.ask.is_empty() {
            len += 1;
        }
        if !self.answer.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("vyre.stream.v1.AskReplied", len)?;
        if !self.ask.is_empty() {
            struct_ser.serialize_field("ask", &self.ask)?;
        }
        if !self.answer.is_empty() {
            struct_ser.serialize_field("answer", &self.answer)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for AskReplied {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "ask",
            "answer",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Ask,
            Answer,
            __SkipField__,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "ask" => Ok(GeneratedField::Ask),
                            "answer" => Ok(GeneratedField::Answer),
                            _ => Ok(GeneratedField::__SkipField__),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = AskReplied;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct vyre.stream.v1.AskReplied")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<AskReplied, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut ask__ = None;
                let mut answer__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Ask => {
                            if ask__.is_some() {
                                return Err(serde::de::Error::duplicate_field("ask"));
                            }
                            ask__ = Some(map_.next_value()?);
                        }
                        GeneratedField::Answer => {
                            if answer__.is_some() {
                                return Err(serde::de::Error::duplicate_field("answer"));
                            }
                            answer__ = Some(map_.next_value()?);
                        }
                        GeneratedField::__SkipField__ => {
                            let _ = map_.next_value::<serde::de::IgnoredAny>()?;
                        }
                    }
                }
                Ok(AskReplied {
                    ask: ask__.unwrap_or_default(),
                    answer: answer__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("vyre.stream.v1.AskReplied", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for Attach {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.ticket.is_empty() {
            len += 1;
        }
        if self.from != 0 {
            len += 1;
        }
        if self.options.is_some() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("vyre.stream.v1.Attach", len)?;
        if !self.ticket.is_empty() {
            struct_ser.serialize_field("ticket", &self.ticket)?;
        }
        if self.from != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("from", ToString::to_string(&self.from).as_str())?;
        }
        if let Some(v) = self.options.as_ref() {
            struct_ser.serialize_field("options", v)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for Attach {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "ticket",
            "from",
            "options",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Ticket,
            From,
            Options,
            __SkipField__,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "ticket" => Ok(GeneratedField::Ticket),
                            "from" => Ok(GeneratedField::From),
                            "options" => Ok(GeneratedField::Options),
                            _ => Ok(GeneratedField::__SkipField__),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = Attach;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct vyre.stream.v1.Attach")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<Attach, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut ticket__ = None;
                let mut from__ = None;
                let mut options__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Ticket => {
                            if ticket__.is_some() {
                                return Err(serde::de::Error::duplicate_field("ticket"));
                            }
                            ticket__ = Some(map_.next_value()?);
                        }
                        GeneratedField::From => {
                            if from__.is_some() {
                                return Err(serde::de::Error::duplicate_field("from"));
                            }
                            from__ = 
                                Some(map_.next_value::<::pbjson::private::NumberDeserialize<_>>()?.0)
                            ;
                        }
                        GeneratedField::Options => {
                            if options__.is_some() {
                                return Err(serde::de::Error::duplicate_field("options"));
                            }
                            options__ = map_.next_value()?;
                        }
                        GeneratedField::__SkipField__ => {
                            let _ = map_.next_value::<serde::de::IgnoredAny>()?;
                        }
                    }
                }
                Ok(Attach {
                    ticket: ticket__.unwrap_or_default(),
                    from: from__.unwrap_or_default(),
                    options: options__,
                })
            }
        }
        deserializer.deserialize_struct("vyre.stream.v1.Attach", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for AttachOptions {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.client.is_empty() {
            len += 1;
        }
        if self.attempt != 0 {
            len += 1;
        }
        if self.unmerged {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("vyre.stream.v1.AttachOptions", len)?;
        if !self.client.is_empty() {
            struct_ser.serialize_field("client", &self.client)?;
        }
        if self.attempt != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("attempt", ToString::to_string(&self.attempt).as_str())?;
        }
        if self.unmerged {
            struct_ser.serialize_field("unmerged", &self.unmerged)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for AttachOptions {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "client",
            "attempt",
            "unmerged",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Client,
            Attempt,
            Unmerged,
            __SkipField__,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "client" => Ok(GeneratedField::Client),
                            "attempt" => Ok(GeneratedField::Attempt),
                            "unmerged" => Ok(GeneratedField::Unmerged),
                            _ => Ok(GeneratedField::__SkipField__),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = AttachOptions;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct vyre.stream.v1.AttachOptions")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<AttachOptions, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut client__ = None;
                let mut attempt__ = None;
                let mut unmerged__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Client => {
                            if client__.is_some() {
                                return Err(serde::de::Error::duplicate_field("client"));
                            }
                            client__ = Some(map_.next_value()?);
                        }
                        GeneratedField::Attempt => {
                            if attempt__.is_some() {
                                return Err(serde::de::Error::duplicate_field("attempt"));
                            }
                            attempt__ = 
                                Some(map_.next_value::<::pbjson::private::NumberDeserialize<_>>()?.0)
                            ;
                        }
                        GeneratedField::Unmerged => {
                            if unmerged__.is_some() {
                                return Err(serde::de::Error::duplicate_field("unmerged"));
                            }
                            unmerged__ = Some(map_.next_value()?);
                        }
                        GeneratedField::__SkipField__ => {
                            let _ = map_.next_value::<serde::de::IgnoredAny>()?;
                        }
                    }
                }
                Ok(AttachOptions {
                    client: client__.unwrap_or_default(),
                    attempt: attempt__.unwrap_or_default(),
                    unmerged: unmerged__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("vyre.stream.v1.AttachOptions", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for Block {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.note.is_empty() {
            len += 1;
        }
        if self.total != 0 {
            len += 1;
        }
        if !self.r#ref.is_empty() {
            len += 1;
        }
        if self.kind.is_some() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("vyre.stream.v1.Block", len)?;
        if !self.note.is_empty() {
            struct_ser.serialize_field("note", &self.note)?;
        }
        if self.total != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("total", ToString::to_string(&self.total).as_str())?;
        }
        if !self.r#ref.is_empty() {
            struct_ser.serialize_field("ref", &self.r#ref)?;
        }
        if let Some(v) = self.kind.as_ref() {
            match v {
                block::Kind::Terminal(v) => {
                    struct_ser.serialize_field("terminal", v)?;
                }
                block::Kind::Diff(v) => {
                    struct_ser.serialize_field("diff", v)?;
                }
                block::Kind::Files(v) => {
                    struct_ser.serialize_field("files", v)?;
                }
                block::Kind::Record(v) => {
                    struct_ser.serialize_field("record", v)?;
                }
                block::Kind::Task(v) => {
                    struct_ser.serialize_field("task", v)?;
                }
                block::Kind::Draft(v) => {
                    struct_ser.serialize_field("draft", v)?;
                }
                block::Kind::FlowChange(v) => {
                    struct_ser.serialize_field("flowChange", v)?;
                }
                block::Kind::Answer(v) => {
                    struct_ser.serialize_field("answer", v)?;
                }
                block::Kind::Screen(v) => {
                    struct_ser.serialize_field("screen", v)?;
                }
                block::Kind::Text(v) => {
                    struct_ser.serialize_field("text", v)?;
                }
            }
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for Block {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "note",
            "total",
            "ref",
            "terminal",
            "diff",
            "files",
            "record",
            "task",
            "draft",
            "flow_change",
            "flowChange",
            "answer",
            "screen",
            "text",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Note,
            Total,
            Ref,
            Terminal,
            Diff,
            Files,
            Record,
            Task,
            Draft,
            FlowChange,
            Answer,
            Screen,
            Text,
            __SkipField__,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "note" => Ok(GeneratedField::Note),
                            "total" => Ok(GeneratedField::Total),
                            "ref" => Ok(GeneratedField::Ref),
                            "terminal" => Ok(GeneratedField::Terminal),
                            "diff" => Ok(GeneratedField::Diff),
                            "files" => Ok(GeneratedField::Files),
                            "record" => Ok(GeneratedField::Record),
                            "task" => Ok(GeneratedField::Task),
                            "draft" => Ok(GeneratedField::Draft),
                            "flowChange" | "flow_change" => Ok(GeneratedField::FlowChange),
                            "answer" => Ok(GeneratedField::Answer),
                            "screen" => Ok(GeneratedField::Screen),
                            "text" => Ok(GeneratedField::Text),
                            _ => Ok(GeneratedField::__SkipField__),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = Block;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct vyre.stream.v1.Block")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<Block, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut note__ = None;
                let mut total__ = None;
                let mut r#ref__ = None;
                let mut kind__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Note => {
                            if note__.is_some() {
                                return Err(serde::de::Error::duplicate_field("note"));
                            }
                            note__ = Some(map_.next_value()?);
                        }
                        GeneratedField::Total => {
                            if total__.is_some() {
                                return Err(serde::de::Error::duplicate_field("total"));
                            }
                            total__ = 
                                Some(map_.next_value::<::pbjson::private::NumberDeserialize<_>>()?.0)
                            ;
                        }
                        GeneratedField::Ref => {
                            if r#ref__.is_some() {
                                return Err(serde::de::Error::duplicate_field("ref"));
                            }
                            r#ref__ = Some(map_.next_value()?);
                        }
                        GeneratedField::Terminal => {
                            if kind__.is_some() {
                                return Err(serde::de::Error::duplicate_field("terminal"));
                            }
                            kind__ = map_.next_value::<::std::option::Option<_>>()?.map(block::Kind::Terminal)
;
                        }
                        GeneratedField::Diff => {
                            if kind__.is_some() {
                                return Err(serde::de::Error::duplicate_field("diff"));
                            }
                            kind__ = map_.next_value::<::std::option::Option<_>>()?.map(block::Kind::Diff)
;
                        }
                        GeneratedField::Files => {
                            if kind__.is_some() {
                                return Err(serde::de::Error::duplicate_field("files"));
                            }
                            kind__ = map_.next_value::<::std::option::Option<_>>()?.map(block::Kind::Files)
;
                        }
                        GeneratedField::Record => {
                            if kind__.is_some() {
                                return Err(serde::de::Error::duplicate_field("record"));
                            }
                            kind__ = map_.next_value::<::std::option::Option<_>>()?.map(block::Kind::Record)
;
                        }
                        GeneratedField::Task => {
                            if kind__.is_some() {
                                return Err(serde::de::Error::duplicate_field("task"));
                            }
                            kind__ = map_.next_value::<::std::option::Option<_>>()?.map(block::Kind::Task)
;
                        }
                        GeneratedField::Draft => {
                            if kind__.is_some() {
                                return Err(serde::de::Error::duplicate_field("draft"));
                            }
                            kind__ = map_.next_value::<::std::option::Option<_>>()?.map(block::Kind::Draft)
;
                        }
                        GeneratedField::FlowChange => {
                            if kind__.is_some() {
                                return Err(serde::de::Error::duplicate_field("flowChange"));
                            }
                            kind__ = map_.next_value::<::std::option::Option<_>>()?.map(block::Kind::FlowChange)
;
                        }
                        GeneratedField::Answer => {
                            if kind__.is_some() {
                                return Err(serde::de::Error::duplicate_field("answer"));
                            }
                            kind__ = map_.next_value::<::std::option::Option<_>>()?.map(block::Kind::Answer)
;
                        }
                        GeneratedField::Screen => {
                            if kind__.is_some() {
                                return Err(serde::de::Error::duplicate_field("screen"));
                            }
                            kind__ = map_.next_value::<::std::option::Option<_>>()?.map(block::Kind::Screen)
;
                        }
                        GeneratedField::Text => {
                            if kind__.is_some() {
                                return Err(serde::de::Error::duplicate_field("text"));
                            }
                            kind__ = map_.next_value::<::std::option::Option<_>>()?.map(block::Kind::Text)
;
                        }
                        GeneratedField::__SkipField__ => {
                            let _ = map_.next_value::<serde::de::IgnoredAny>()?;
                        }
                    }
                }
                Ok(Block {
                    note: note__.unwrap_or_default(),
                    total: total__.unwrap_or_default(),
                    r#ref: r#ref__.unwrap_or_default(),
                    kind: kind__,
                })
            }
        }
        deserializer.deserialize_struct("vyre.stream.v1.Block", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for Branched {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.from.is_empty() {
            len += 1;
        }
        if !self.session.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("vyre.stream.v1.Branched", len)?;
        if !self.from.is_empty() {
            struct_ser.serialize_field("from", &self.from)?;
        }
        if !self.session.is_empty() {
            struct_ser.serialize_field("session", &self.session)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for Branched {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "from",
            "session",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            From,
            Session,
            __SkipField__,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "from" => Ok(GeneratedField::From),
                            "session" => Ok(GeneratedField::Session),
                            _ => Ok(GeneratedField::__SkipField__),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = Branched;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct vyre.stream.v1.Branched")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<Branched, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut from__ = None;
                let mut session__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::From => {
                            if from__.is_some() {
                                return Err(serde::de::Error::duplicate_field("from"));
                            }
                            from__ = Some(map_.next_value()?);
                        }
                        GeneratedField::Session => {
                            if session__.is_some() {
                                return Err(serde::de::Error::duplicate_field("session"));
                            }
                            session__ = Some(map_.next_value()?);
                        }
                        GeneratedField::__SkipField__ => {
                            let _ = map_.next_value::<serde::de::IgnoredAny>()?;
                        }
                    }
                }
                Ok(Branched {
                    from: from__.unwrap_or_default(),
                    session: session__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("vyre.stream.v1.Branched", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for Bye {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if self.reason != 0 {
            len += 1;
        }
        if self.min_delay_ms != 0 {
            len += 1;
        }
        if self.max_delay_ms != 0 {
            len += 1;
        }
        if !self.paths.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("vyre.stream.v1.Bye", len)?;
        if self.reason != 0 {
            let v = ByeReason::try_from(self.reason)
                .map_err(|_| serde::ser::Error::custom(format!("Invalid variant {}", self.reason)))?;
            struct_ser.serialize_field("reason", &v)?;
        }
        if self.min_delay_ms != 0 {
            struct_ser.serialize_field("minDelayMs", &self.min_delay_ms)?;
        }
        if self.max_delay_ms != 0 {
            struct_ser.serialize_field("maxDelayMs", &self.max_delay_ms)?;
        }
        if !self.paths.is_empty() {
            struct_ser.serialize_field("paths", &self.paths)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for Bye {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "reason",
            "min_delay_ms",
            "minDelayMs",
            "max_delay_ms",
            "maxDelayMs",
            "paths",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Reason,
            MinDelayMs,
            MaxDelayMs,
            Paths,
            __SkipField__,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "reason" => Ok(GeneratedField::Reason),
                            "minDelayMs" | "min_delay_ms" => Ok(GeneratedField::MinDelayMs),
                            "maxDelayMs" | "max_delay_ms" => Ok(GeneratedField::MaxDelayMs),
                            "paths" => Ok(GeneratedField::Paths),
                            _ => Ok(GeneratedField::__SkipField__),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = Bye;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct vyre.stream.v1.Bye")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<Bye, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut reason__ = None;
                let mut min_delay_ms__ = None;
                let mut max_delay_ms__ = None;
                let mut paths__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Reason => {
                            if reason__.is_some() {
                                return Err(serde::de::Error::duplicate_field("reason"));
                            }
                            reason__ = Some(map_.next_value::<ByeReason>()? as i32);
                        }
                        GeneratedField::MinDelayMs => {
                            if min_delay_ms__.is_some() {
                                return Err(serde::de::Error::duplicate_field("minDelayMs"));
                            }
                            min_delay_ms__ = 
                                Some(map_.next_value::<::pbjson::private::NumberDeserialize<_>>()?.0)
                            ;
                        }
                        GeneratedField::MaxDelayMs => {
                            if max_delay_ms__.is_some() {
                                return Err(serde::de::Error::duplicate_field("maxDelayMs"));
                            }
                            max_delay_ms__ = 
                                Some(map_.next_value::<::pbjson::private::NumberDeserialize<_>>()?.0)
                            ;
                        }
                        GeneratedField::Paths => {
                            if paths__.is_some() {
                                return Err(serde::de::Error::duplicate_field("paths"));
                            }
                            paths__ = Some(map_.next_value()?);
                        }
                        GeneratedField::__SkipField__ => {
                            let _ = map_.next_value::<serde::de::IgnoredAny>()?;
                        }
                    }
                }
                Ok(Bye {
                    reason: reason__.unwrap_or_default(),
                    min_delay_ms: min_delay_ms__.unwrap_or_default(),
                    max_delay_ms: max_delay_ms__.unwrap_or_default(),
                    paths: paths__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("vyre.stream.v1.Bye", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for ByeReason {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        let variant = match self {
            Self::Unknown => "BYE_REASON_UNKNOWN",
            Self::Restart => "BYE_REASON_RESTART",
            Self::Overload => "BYE_REASON_OVERLOAD",
            Self::Moved => "BYE_REASON_MOVED",
            Self::Denied => "BYE_REASON_DENIED",
            Self::Replaced => "BYE_REASON_REPLACED",
            Self::Slow => "BYE_REASON_SLOW",
        };
        serializer.serialize_str(variant)
    }
}
impl<'de> serde::Deserialize<'de> for ByeReason {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "BYE_REASON_UNKNOWN",
            "BYE_REASON_RESTART",
            "BYE_REASON_OVERLOAD",
            "BYE_REASON_MOVED",
            "BYE_REASON_DENIED",
            "BYE_REASON_REPLACED",
            "BYE_REASON_SLOW",
        ];

        struct GeneratedVisitor;

        impl serde::de::Visitor<'_> for GeneratedVisitor {
            type Value = ByeReason;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(formatter, "expected one of: {:?}", &FIELDS)
            }

            fn visit_i64<E>(self, v: i64) -> std::result::Result<Self::Value, E>
            where
                E: serde::de::Error,
            {
                i32::try_from(v)
                    .ok()
                    .and_then(|x| x.try_into().ok())
                    .ok_or_else(|| {
                        serde::de::Error::invalid_value(serde::de::Unexpected::Signed(v), &self)
                    })
            }

            fn visit_u64<E>(self, v: u64) -> std::result::Result<Self::Value, E>
            where
                E: serde::de::Error,
            {
                i32::try_from(v)
                    .ok()
                    .and_then(|x| x.try_into().ok())
                    .ok_or_else(|| {
                        serde::de::Error::invalid_value(serde::de::Unexpected::Unsigned(v), &self)
                    })
            }

            fn visit_str<E>(self, value: &str) -> std::result::Result<Self::Value, E>
            where
                E: serde::de::Error,
            {
                match value {
                    "BYE_REASON_UNKNOWN" => Ok(ByeReason::Unknown),
                    "BYE_REASON_RESTART" => Ok(ByeReason::Restart),
                    "BYE_REASON_OVERLOAD" => Ok(ByeReason::Overload),
                    "BYE_REASON_MOVED" => Ok(ByeReason::Moved),
                    "BYE_REASON_DENIED" => Ok(ByeReason::Denied),
                    "BYE_REASON_REPLACED" => Ok(ByeReason::Replaced),
                    "BYE_REASON_SLOW" => Ok(ByeReason::Slow),
                    _ => Err(serde::de::Error::unknown_variant(value, FIELDS)),
                }
            }
        }
        deserializer.deserialize_any(GeneratedVisitor)
    }
}
impl serde::Serialize for Call {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.tool.is_empty() {
            len += 1;
        }
        if !self.idempotency_key.is_empty() {
            len += 1;
        }
        if !self.body.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("vyre.stream.v1.Call", len)?;
        if !self.tool.is_empty() {
            struct_ser.serialize_field("tool", &self.tool)?;
        }
        if !self.idempotency_key.is_empty() {
            struct_ser.serialize_field("idempotencyKey", &self.idempotency_key)?;
        }
        if !self.body.is_empty() {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("body", pbjson::private::base64::encode(&self.body).as_str())?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for Call {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "tool",
            "idempotency_key",
            "idempotencyKey",
            "body",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Tool,
            IdempotencyKey,
            Body,
            __SkipField__,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "tool" => Ok(GeneratedField::Tool),
                            "idempotencyKey" | "idempotency_key" => Ok(GeneratedField::IdempotencyKey),
                            "body" => Ok(GeneratedField::Body),
                            _ => Ok(GeneratedField::__SkipField__),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = Call;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct vyre.stream.v1.Call")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<Call, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut tool__ = None;
                let mut idempotency_key__ = None;
                let mut body__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Tool => {
                            if tool__.is_some() {
                                return Err(serde::de::Error::duplicate_field("tool"));
                            }
                            tool__ = Some(map_.next_value()?);
                        }
                        GeneratedField::IdempotencyKey => {
                            if idempotency_key__.is_some() {
                                return Err(serde::de::Error::duplicate_field("idempotencyKey"));
                            }
                            idempotency_key__ = Some(map_.next_value()?);
                        }
                        GeneratedField::Body => {
                            if body__.is_some() {
                                return Err(serde::de::Error::duplicate_field("body"));
                            }
                            body__ = 
                                Some(map_.next_value::<::pbjson::private::BytesDeserialize<_>>()?.0)
                            ;
                        }
                        GeneratedField::__SkipField__ => {
                            let _ = map_.next_value::<serde::de::IgnoredAny>()?;
                        }
                    }
                }
                Ok(Call {
                    tool: tool__.unwrap_or_default(),
                    idempotency_key: idempotency_key__.unwrap_or_default(),
                    body: body__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("vyre.stream.v1.Call", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for Calls {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let len = 0;
        let struct_ser = serializer.serialize_struct("vyre.stream.v1.Calls", len)?;
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for Calls {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            __SkipField__,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                            Ok(GeneratedField::__SkipField__)
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = Calls;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct vyre.stream.v1.Calls")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<Calls, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                while map_.next_key::<GeneratedField>()?.is_some() {
                    let _ = map_.next_value::<serde::de::IgnoredAny>()?;
                }
                Ok(Calls {
                })
            }
        }
        deserializer.deserialize_struct("vyre.stream.v1.Calls", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for Change {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        let variant = match self {
            Self::Unknown => "CHANGE_UNKNOWN",
            Self::Added => "CHANGE_ADDED",
            Self::Modified => "CHANGE_MODIFIED",
            Self::Deleted => "CHANGE_DELETED",
            Self::Renamed => "CHANGE_RENAMED",
        };
        serializer.serialize_str(variant)
    }
}
impl<'de> serde::Deserialize<'de> for Change {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "CHANGE_UNKNOWN",
            "CHANGE_ADDED",
            "CHANGE_MODIFIED",
            "CHANGE_DELETED",
            "CHANGE_RENAMED",
        ];

        struct GeneratedVisitor;

        impl serde::de::Visitor<'_> for GeneratedVisitor {
            type Value = Change;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(formatter, "expected one of: {:?}", &FIELDS)
            }

            fn visit_i64<E>(self, v: i64) -> std::result::Result<Self::Value, E>
            where
                E: serde::de::Error,
            {
                i32::try_from(v)
                    .ok()
                    .and_then(|x| x.try_into().ok())
                    .ok_or_else(|| {
                        serde::de::Error::invalid_value(serde::de::Unexpected::Signed(v), &self)
                    })
            }

            fn visit_u64<E>(self, v: u64) -> std::result::Result<Self::Value, E>
            where
                E: serde::de::Error,
            {
                i32::try_from(v)
                    .ok()
                    .and_then(|x| x.try_into().ok())
                    .ok_or_else(|| {
                        serde::de::Error::invalid_value(serde::de::Unexpected::Unsigned(v), &self)
                    })
            }

            fn visit_str<E>(self, value: &str) -> std::result::Result<Self::Value, E>
            where
                E: serde::de::Error,
            {
                match value {
                    "CHANGE_UNKNOWN" => Ok(Change::Unknown),
                    "CHANGE_ADDED" => Ok(Change::Added),
                    "CHANGE_MODIFIED" => Ok(Change::Modified),
                    "CHANGE_DELETED" => Ok(Change::Deleted),
                    "CHANGE_RENAMED" => Ok(Change::Renamed),
                    _ => Err(serde::de::Error::unknown_variant(value, FIELDS)),
                }
            }
        }
        deserializer.deserialize_any(GeneratedVisitor)
    }
}
impl serde::Serialize for Channel {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        let variant = match self {
            Self::Text => "CHANNEL_TEXT",
            Self::Thinking => "CHANNEL_THINKING",
        };
        serializer.serialize_str(variant)
    }
}
impl<'de> serde::Deserialize<'de> for Channel {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "CHANNEL_TEXT",
            "CHANNEL_THINKING",
        ];

        struct GeneratedVisitor;

        impl serde::de::Visitor<'_> for GeneratedVisitor {
            type Value = Channel;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(formatter, "expected one of: {:?}", &FIELDS)
            }

            fn visit_i64<E>(self, v: i64) -> std::result::Result<Self::Value, E>
            where
                E: serde::de::Error,
            {
                i32::try_from(v)
                    .ok()
                    .and_then(|x| x.try_into().ok())
                    .ok_or_else(|| {
                        serde::de::Error::invalid_value(serde::de::Unexpected::Signed(v), &self)
                    })
            }

            fn visit_u64<E>(self, v: u64) -> std::result::Result<Self::Value, E>
            where
                E: serde::de::Error,
            {
                i32::try_from(v)
                    .ok()
                    .and_then(|x| x.try_into().ok())
                    .ok_or_else(|| {
                        serde::de::Error::invalid_value(serde::de::Unexpected::Unsigned(v), &self)
                    })
            }

            fn visit_str<E>(self, value: &str) -> std::result::Result<Self::Value, E>
            where
                E: serde::de::Error,
            {
                match value {
                    "CHANNEL_TEXT" => Ok(Channel::Text),
                    "CHANNEL_THINKING" => Ok(Channel::Thinking),
                    _ => Err(serde::de::Error::unknown_variant(value, FIELDS)),
                }
            }
        }
        deserializer.deserialize_any(GeneratedVisitor)
    }
}
impl serde::Serialize for Device {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.device.is_empty() {
            len += 1;
        }
        if !self.name.is_empty() {
            len += 1;
        }
        if self.seen != 0 {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("vyre.stream.v1.Device", len)?;
        if !self.device.is_empty() {
            struct_ser.serialize_field("device", &self.device)?;
        }
        if !self.name.is_empty() {
            struct_ser.serialize_field("name", &self.name)?;
        }
        if self.seen != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("seen", ToString::to_string(&self.seen).as_str())?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for Device {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "device",
            "name",
            "seen",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Device,
            Name,
            Seen,
            __SkipField__,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "device" => Ok(GeneratedField::Device),
                            "name" => Ok(GeneratedField::Name),
                            "seen" => Ok(GeneratedField::Seen),
                            _ => Ok(GeneratedField::__SkipField__),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = Device;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct vyre.stream.v1.Device")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<Device, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut device__ = None;
                let mut name__ = None;
                let mut seen__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Device => {
                            if device__.is_some() {
                                return Err(serde::de::Error::duplicate_field("device"));
                            }
                            device__ = Some(map_.next_value()?);
                        }
                        GeneratedField::Name => {
                            if name__.is_some() {
                                return Err(serde::de::Error::duplicate_field("name"));
                            }
                            name__ = Some(map_.next_value()?);
                        }
                        GeneratedField::Seen => {
                            if seen__.is_some() {
                                return Err(serde::de::Error::duplicate_field("seen"));
                            }
                            seen__ = 
                                Some(map_.next_value::<::pbjson::private::NumberDeserialize<_>>()?.0)
                            ;
                        }
                        GeneratedField::__SkipField__ => {
                            let _ = map_.next_value::<serde::de::IgnoredAny>()?;
                        }
                    }
                }
                Ok(Device {
                    device: device__.unwrap_or_default(),
                    name: name__.unwrap_or_default(),
                    seen: seen__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("vyre.stream.v1.Device", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for DevicesList {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let len = 0;
        let struct_ser = serializer.serialize_struct("vyre.stream.v1.DevicesList", len)?;
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for DevicesList {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            __SkipField__,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                            Ok(GeneratedField::__SkipField__)
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = DevicesList;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct vyre.stream.v1.DevicesList")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<DevicesList, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                while map_.next_key::<GeneratedField>()?.is_some() {
                    let _ = map_.next_value::<serde::de::IgnoredAny>()?;
                }
                Ok(DevicesList {
                })
            }
        }
        deserializer.deserialize_struct("vyre.stream.v1.DevicesList", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for DevicesListed {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.devices.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("vyre.stream.v1.DevicesListed", len)?;
        if !self.devices.is_empty() {
            struct_ser.serialize_field("devices", &self.devices)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for DevicesListed {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "devices",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Devices,
            __SkipField__,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "devices" => Ok(GeneratedField::Devices),
                            _ => Ok(GeneratedField::__SkipField__),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = DevicesListed;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct vyre.stream.v1.DevicesListed")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<DevicesListed, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut devices__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Devices => {
                            if devices__.is_some() {
                                return Err(serde::de::Error::duplicate_field("devices"));
                            }
                            devices__ = Some(map_.next_value()?);
                        }
                        GeneratedField::__SkipField__ => {
                            let _ = map_.next_value::<serde::de::IgnoredAny>()?;
                        }
                    }
                }
                Ok(DevicesListed {
                    devices: devices__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("vyre.stream.v1.DevicesListed", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for DevicesRevoke {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.device.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("vyre.stream.v1.DevicesRevoke", len)?;
        if !self.device.is_empty() {
            struct_ser.serialize_field("device", &self.device)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for DevicesRevoke {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "device",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Device,
            __SkipField__,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "device" => Ok(GeneratedField::Device),
                            _ => Ok(GeneratedField::__SkipField__),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = DevicesRevoke;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct vyre.stream.v1.DevicesRevoke")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<DevicesRevoke, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut device__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Device => {
                            if device__.is_some() {
                                return Err(serde::de::Error::duplicate_field("device"));
                            }
                            device__ = Some(map_.next_value()?);
                        }
                        GeneratedField::__SkipField__ => {
                            let _ = map_.next_value::<serde::de::IgnoredAny>()?;
                        }
                    }
                }
                Ok(DevicesRevoke {
                    device: device__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("vyre.stream.v1.DevicesRevoke", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for DevicesRevoked {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let len = 0;
        let struct_ser = serializer.serialize_struct("vyre.stream.v1.DevicesRevoked", len)?;
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for DevicesRevoked {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            __SkipField__,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                            Ok(GeneratedField::__SkipField__)
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = DevicesRevoked;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct vyre.stream.v1.DevicesRevoked")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<DevicesRevoked, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                while map_.next_key::<GeneratedField>()?.is_some() {
                    let _ = map_.next_value::<serde::de::IgnoredAny>()?;
                }
                Ok(DevicesRevoked {
                })
            }
        }
        deserializer.deserialize_struct("vyre.stream.v1.DevicesRevoked", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for DiffBlock {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.path.is_empty() {
            len += 1;
        }
        if !self.patch.is_empty() {
            len += 1;
        }
        if self.added != 0 {
            len += 1;
        }
        if self.removed != 0 {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("vyre.stream.v1.DiffBlock", len)?;
        if !self.path.is_empty() {
            struct_ser.serialize_field("path", &self.path)?;
        }
        if !self.patch.is_empty() {
            struct_ser.serialize_field("patch", &self.patch)?;
        }
        if self.added != 0 {
            struct_ser.serialize_field("added", &self.added)?;
        }
        if self.removed != 0 {
            struct_ser.serialize_field("removed", &self.removed)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for DiffBlock {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "path",
            "patch",
            "added",
            "removed",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Path,
            Patch,
            Added,
            Removed,
            __SkipField__,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "path" => Ok(GeneratedField::Path),
                            "patch" => Ok(GeneratedField::Patch),
                            "added" => Ok(GeneratedField::Added),
                            "removed" => Ok(GeneratedField::Removed),
                            _ => Ok(GeneratedField::__SkipField__),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = DiffBlock;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct vyre.stream.v1.DiffBlock")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<DiffBlock, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut path__ = None;
                let mut patch__ = None;
                let mut added__ = None;
                let mut removed__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Path => {
                            if path__.is_some() {
                                return Err(serde::de::Error::duplicate_field("path"));
                            }
                            path__ = Some(map_.next_value()?);
                        }
                        GeneratedField::Patch => {
                            if patch__.is_some() {
                                return Err(serde::de::Error::duplicate_field("patch"));
                            }
                            patch__ = Some(map_.next_value()?);
                        }
                        GeneratedField::Added => {
                            if added__.is_some() {
                                return Err(serde::de::Error::duplicate_field("added"));
                            }
                            added__ = 
                                Some(map_.next_value::<::pbjson::private::NumberDeserialize<_>>()?.0)
                            ;
                        }
                        GeneratedField::Removed => {
                            if removed__.is_some() {
                                return Err(serde::de::Error::duplicate_field("removed"));
                            }
                            removed__ = 
                                Some(map_.next_value::<::pbjson::private::NumberDeserialize<_>>()?.0)
                            ;
                        }
                        GeneratedField::__SkipField__ => {
                            let _ = map_.next_value::<serde::de::IgnoredAny>()?;
                        }
                    }
                }
                Ok(DiffBlock {
                    path: path__.unwrap_or_default(),
                    patch: patch__.unwrap_or_default(),
                    added: added__.unwrap_or_default(),
                    removed: removed__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("vyre.stream.v1.DiffBlock", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for DraftBlock {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.kind.is_empty() {
            len += 1;
        }
        if !self.title.is_empty() {
            len += 1;
        }
        if !self.body.is_empty() {
            len += 1;
        }
        if !self.fields.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("vyre.stream.v1.DraftBlock", len)?;
        if !self.kind.is_empty() {
            struct_ser.serialize_field("kind", &self.kind)?;
        }
        if !self.title.is_empty() {
            struct_ser.serialize_field("title", &self.title)?;
        }
        if !self.body.is_empty() {
            struct_ser.serialize_field("body", &self.body)?;
        }
        if !self.fields.is_empty() {
            struct_ser.serialize_field("fields", &self.fields)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for DraftBlock {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "kind",
            "title",
            "body",
            "fields",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Kind,
            Title,
            Body,
            Fields,
            __SkipField__,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "kind" => Ok(GeneratedField::Kind),
                            "title" => Ok(GeneratedField::Title),
                            "body" => Ok(GeneratedField::Body),
                            "fields" => Ok(GeneratedField::Fields),
                            _ => Ok(GeneratedField::__SkipField__),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = DraftBlock;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct vyre.stream.v1.DraftBlock")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<DraftBlock, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut kind__ = None;
                let mut title__ = None;
                let mut body__ = None;
                let mut fields__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Kind => {
                            if kind__.is_some() {
                                return Err(serde::de::Error::duplicate_field("kind"));
                            }
                            kind__ = Some(map_.next_value()?);
                        }
                        GeneratedField::Title => {
                            if title__.is_some() {
                                return Err(serde::de::Error::duplicate_field("title"));
                            }
                            title__ = Some(map_.next_value()?);
                        }
                        GeneratedField::Body => {
                            if body__.is_some() {
                                return Err(serde::de::Error::duplicate_field("body"));
                            }
                            body__ = Some(map_.next_value()?);
                        }
                        GeneratedField::Fields => {
                            if fields__.is_some() {
                                return Err(serde::de::Error::duplicate_field("fields"));
                            }
                            fields__ = Some(map_.next_value()?);
                        }
                        GeneratedField::__SkipField__ => {
                            let _ = map_.next_value::<serde::de::IgnoredAny>()?;
                        }
                    }
                }
                Ok(DraftBlock {
                    kind: kind__.unwrap_or_default(),
                    title: title__.unwrap_or_default(),
                    body: body__.unwrap_or_default(),
                    fields: fields__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("vyre.stream.v1.DraftBlock", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for Encrypted {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.alg.is_empty() {
            len += 1;
        }
        if !self.kid.is_empty() {
            len += 1;
        }
        if !self.ct.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("vyre.stream.v1.Encrypted", len)?;
        if !self.alg.is_empty() {
            struct_ser.serialize_field("alg", &self.alg)?;
        }
        if !self.kid.is_empty() {
            struct_ser.serialize_field("kid", &self.kid)?;
        }
        if !self.ct.is_empty() {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("ct", pbjson::private::base64::encode(&self.ct).as_str())?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for Encrypted {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "alg",
            "kid",
            "ct",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Alg,
            Kid,
            Ct,
            __SkipField__,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "alg" => Ok(GeneratedField::Alg),
                            "kid" => Ok(GeneratedField::Kid),
                            "ct" => Ok(GeneratedField::Ct),
                            _ => Ok(GeneratedField::__SkipField__),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = Encrypted;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct vyre.stream.v1.Encrypted")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<Encrypted, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut alg__ = None;
                let mut kid__ = None;
                let mut ct__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Alg => {
                            if alg__.is_some() {
                                return Err(serde::de::Error::duplicate_field("alg"));
                            }
                            alg__ = Some(map_.next_value()?);
                        }
                        GeneratedField::Kid => {
                            if kid__.is_some() {
                                return Err(serde::de::Error::duplicate_field("kid"));
                            }
                            kid__ = Some(map_.next_value()?);
                        }
                        GeneratedField::Ct => {
                            if ct__.is_some() {
                                return Err(serde::de::Error::duplicate_field("ct"));
                            }
                            ct__ = 
                                Some(map_.next_value::<::pbjson::private::BytesDeserialize<_>>()?.0)
                            ;
                        }
                        GeneratedField::__SkipField__ => {
                            let _ = map_.next_value::<serde::de::IgnoredAny>()?;
                        }
                    }
                }
                Ok(Encrypted {
                    alg: alg__.unwrap_or_default(),
                    kid: kid__.unwrap_or_default(),
                    ct: ct__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("vyre.stream.v1.Encrypted", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for Error {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if self.code != 0 {
            len += 1;
        }
        if !self.message.is_empty() {
            len += 1;
        }
        if self.retry_after_ms != 0 {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("vyre.stream.v1.Error", len)?;
        if self.code != 0 {
            let v = ErrorCode::try_from(self.code)
                .map_err(|_| serde::ser::Error::custom(format!("Invalid variant {}", self.code)))?;
            struct_ser.serialize_field("code", &v)?;
        }
        if !self.message.is_empty() {
            struct_ser.serialize_field("message", &self.message)?;
        }
        if self.retry_after_ms != 0 {
            struct_ser.serialize_field("retryAfterMs", &self.retry_after_ms)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for Error {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "code",
            "message",
            "retry_after_ms",
            "retryAfterMs",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Code,
            Message,
            RetryAfterMs,
            __SkipField__,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "code" => Ok(GeneratedField::Code),
                            "message" => Ok(GeneratedField::Message),
                            "retryAfterMs" | "retry_after_ms" => Ok(GeneratedField::RetryAfterMs),
                            _ => Ok(GeneratedField::__SkipField__),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = Error;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct vyre.stream.v1.Error")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<Error, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut code__ = None;
                let mut message__ = None;
                let mut retry_after_ms__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Code => {
                            if code__.is_some() {
                                return Err(serde::de::Error::duplicate_field("code"));
                            }
                            code__ = Some(map_.next_value::<ErrorCode>()? as i32);
                        }
                        GeneratedField::Message => {
                            if message__.is_some() {
                                return Err(serde::de::Error::duplicate_field("message"));
                            }
                            message__ = Some(map_.next_value()?);
                        }
                        GeneratedField::RetryAfterMs => {
                            if retry_after_ms__.is_some() {
                                return Err(serde::de::Error::duplicate_field("retryAfterMs"));
                            }
                            retry_after_ms__ = 
                                Some(map_.next_value::<::pbjson::private::NumberDeserialize<_>>()?.0)
                            ;
                        }
                        GeneratedField::__SkipField__ => {
                            let _ = map_.next_value::<serde::de::IgnoredAny>()?;
                        }
                    }
                }
                Ok(Error {
                    code: code__.unwrap_or_default(),
                    message: message__.unwrap_or_default(),
                    retry_after_ms: retry_after_ms__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("vyre.stream.v1.Error", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for ErrorCode {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        let variant = match self {
            Self::Internal => "ERROR_CODE_INTERNAL",
            Self::Denied => "ERROR_CODE_DENIED",
            Self::NotFound => "ERROR_CODE_NOT_FOUND",
            Self::Invalid => "ERROR_CODE_INVALID",
            Self::Conflict => "ERROR_CODE_CONFLICT",
            Self::TooLarge => "ERROR_CODE_TOO_LARGE",
            Self::RateLimited => "ERROR_CODE_RATE_LIMITED",
            Self::Unavailable => "ERROR_CODE_UNAVAILABLE",
            Self::Unauthenticated => "ERROR_CODE_UNAUTHENTICATED",
        };
        serializer.serialize_str(variant)
    }
}
impl<'de> serde::Deserialize<'de> for ErrorCode {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "ERROR_CODE_INTERNAL",
            "ERROR_CODE_DENIED",
            "ERROR_CODE_NOT_FOUND",
            "ERROR_CODE_INVALID",
            "ERROR_CODE_CONFLICT",
            "ERROR_CODE_TOO_LARGE",
            "ERROR_CODE_RATE_LIMITED",
            "ERROR_CODE_UNAVAILABLE",
            "ERROR_CODE_UNAUTHENTICATED",
        ];

        struct GeneratedVisitor;

        impl serde::de::Visitor<'_> for GeneratedVisitor {
            type Value = ErrorCode;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(formatter, "expected one of: {:?}", &FIELDS)
            }

            fn visit_i64<E>(self, v: i64) -> std::result::Result<Self::Value, E>
            where
                E: serde::de::Error,
            {
                i32::try_from(v)
                    .ok()
                    .and_then(|x| x.try_into().ok())
                    .ok_or_else(|| {
                        serde::de::Error::invalid_value(serde::de::Unexpected::Signed(v), &self)
                    })
            }

            fn visit_u64<E>(self, v: u64) -> std::result::Result<Self::Value, E>
            where
                E: serde::de::Error,
            {
                i32::try_from(v)
                    .ok()
                    .and_then(|x| x.try_into().ok())
                    .ok_or_else(|| {
                        serde::de::Error::invalid_value(serde::de::Unexpected::Unsigned(v), &self)
                    })
            }

            fn visit_str<E>(self, value: &str) -> std::result::Result<Self::Value, E>
            where
                E: serde::de::Error,
            {
                match value {
                    "ERROR_CODE_INTERNAL" => Ok(ErrorCode::Internal),
                    "ERROR_CODE_DENIED" => Ok(ErrorCode::Denied),
                    "ERROR_CODE_NOT_FOUND" => Ok(ErrorCode::NotFound),
                    "ERROR_CODE_INVALID" => Ok(ErrorCode::Invalid),
                    "ERROR_CODE_CONFLICT" => Ok(ErrorCode::Conflict),
                    "ERROR_CODE_TOO_LARGE" => Ok(ErrorCode::TooLarge),
                    "ERROR_CODE_RATE_LIMITED" => Ok(ErrorCode::RateLimited),
                    "ERROR_CODE_UNAVAILABLE" => Ok(ErrorCode::Unavailable),
                    "ERROR_CODE_UNAUTHENTICATED" => Ok(ErrorCode::Unauthenticated),
                    _ => Err(serde::de::Error::unknown_variant(value, FIELDS)),
                }
            }
        }
        deserializer.deserialize_any(GeneratedVisitor)
    }
}
impl serde::Serialize for Event {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.id.is_empty() {
            len += 1;
        }
        if !self.session.is_empty() {
            len += 1;
        }
        if !self.turn.is_empty() {
            len += 1;
        }
        if self.time != 0 {
            len += 1;
        }
        if !self.corr.is_empty() {
            len += 1;
        }
        if !self.actor.is_empty() {
            len += 1;
        }
        if !self.acts_for.is_empty() {
            len += 1;
        }
        if self.expired != 0 {
            len += 1;
        }
        if self.data.is_some() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("vyre.stream.v1.Event", len)?;
        if !self.id.is_empty() {
            struct_ser.serialize_field("id", &self.id)?;
        }
        if !self.session.is_empty() {
            struct_ser.serialize_field("session", &self.session)?;
        }
        if !self.turn.is_empty() {
            struct_ser.serialize_field("turn", &self.turn)?;
        }
        if self.time != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("time", ToString::to_string(&self.time).as_str())?;
        }
        if !self.corr.is_empty() {
            struct_ser.serialize_field("corr", &self.corr)?;
        }
        if !self.actor.is_empty() {
            struct_ser.serialize_field("actor", &self.actor)?;
        }
        if !self.acts_for.is_empty() {
            struct_ser.serialize_field("actsFor", &self.acts_for)?;
        }
        if self.expired != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("expired", ToString::to_string(&self.expired).as_str())?;
        }
        if let Some(v) = self.data.as_ref() {
            match v {
                event::Data::ThreadStarted(v) => {
                    struct_ser.serialize_field("threadStarted", v)?;
                }
                event::Data::ThreadUser(v) => {
                    struct_ser.serialize_field("threadUser", v)?;
                }
                event::Data::ThreadQueued(v) => {
                    struct_ser.serialize_field("threadQueued", v)?;
                }
                event::Data::ThreadSent(v) => {
                    struct_ser.serialize_field("threadSent", v)?;
                }
                event::Data::ThreadSteered(v) => {
                    struct_ser.serialize_field("threadSteered", v)?;
                }
                event::Data::ThreadUnqueued(v) => {
                    struct_ser.serialize_field("threadUnqueued", v)?;
                }
                event::Data::ThreadDelta(v) => {
                    struct_ser.serialize_field("threadDelta", v)?;
                }
                event::Data::ThreadDone(v) => {
                    struct_ser.serialize_field("threadDone", v)?;
                }
                event::Data::ThreadCut(v) => {
                    struct_ser.serialize_field("threadCut", v)?;
                }
                event::Data::ThreadThinking(v) => {
                    struct_ser.serialize_field("threadThinking", v)?;
                }
                event::Data::ThreadToolStarted(v) => {
                    struct_ser.serialize_field("threadToolStarted", v)?;
                }
                event::Data::ThreadToolProgress(v) => {
                    struct_ser.serialize_field("threadToolProgress", v)?;
                }
                event::Data::ThreadToolFinished(v) => {
                    struct_ser.serialize_field("threadToolFinished", v)?;
                }
                event::Data::ThreadShell(v) => {
                    struct_ser.serialize_field("threadShell", v)?;
                }
                event::Data::ThreadFileChanged(v) => {
                    struct_ser.serialize_field("threadFileChanged", v)?;
                }
                event::Data::ThreadStatus(v) => {
                    struct_ser.serialize_field("threadStatus", v)?;
                }
                event::Data::ThreadStopping(v) => {
                    struct_ser.serialize_field("threadStopping", v)?;
                }
                event::Data::ThreadStopped(v) => {
                    struct_ser.serialize_field("threadStopped", v)?;
                }
                event::Data::ThreadFailed(v) => {
                    struct_ser.serialize_field("threadFailed", v)?;
                }
                event::Data::AskOpened(v) => {
                    struct_ser.serialize_field("askOpened", v)?;
                }
                event::Data::AskAnswered(v) => {
                    struct_ser.serialize_field("askAnswered", v)?;
                }
                event::Data::TermCommand(v) => {
                    struct_ser.serialize_field("termCommand", v)?;
                }
                event::Data::RoomJoined(v) => {
                    struct_ser.serialize_field("roomJoined", v)?;
                }
                event::Data::RoomLeft(v) => {
                    struct_ser.serialize_field("roomLeft", v)?;
                }
                event::Data::RoomReaction(v) => {
                    struct_ser.serialize_field("roomReaction", v)?;
                }
                event::Data::RoomPin(v) => {
                    struct_ser.serialize_field("roomPin", v)?;
                }
                event::Data::RoomMention(v) => {
                    struct_ser.serialize_field("roomMention", v)?;
                }
                event::Data::RoomFanout(v) => {
                    struct_ser.serialize_field("roomFanout", v)?;
                }
                event::Data::RoomFanoutKeep(v) => {
                    struct_ser.serialize_field("roomFanoutKeep", v)?;
                }
                event::Data::ThreadRewound(v) => {
                    struct_ser.serialize_field("threadRewound", v)?;
                }
                event::Data::ThreadBranched(v) => {
                    struct_ser.serialize_field("threadBranched", v)?;
                }
                event::Data::RoomAssigned(v) => {
                    struct_ser.serialize_field("roomAssigned", v)?;
                }
            }
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for Event {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "id",
            "session",
            "turn",
            "time",
            "corr",
            "actor",
            "acts_for",
            "actsFor",
            "expired",
            "thread_started",
            "threadStarted",
            "thread_user",
            "threadUser",
            "thread_queued",
            "threadQueued",
            "thread_sent",
            "threadSent",
            "thread_steered",
            "threadSteered",
            "thread_unqueued",
            "threadUnqueued",
            "thread_delta",
            "threadDelta",
            "thread_done",
            "threadDone",
            "thread_cut",
            "threadCut",
            "thread_thinking",
            "threadThinking",
            "thread_tool_started",
            "threadToolStarted",
            "thread_tool_progress",
            "threadToolProgress",
            "thread_tool_finished",
            "threadToolFinished",
            "thread_shell",
            "threadShell",
            "thread_file_changed",
            "threadFileChanged",
            "thread_status",
            "threadStatus",
            "thread_stopping",
            "threadStopping",
            "thread_stopped",
            "threadStopped",
            "thread_failed",
            "threadFailed",
            "ask_opened",
            "askOpened",
            "ask_answered",
            "askAnswered",
            "term_command",
            "termCommand",
            "room_joined",
            "roomJoined",
            "room_left",
            "roomLeft",
            "room_reaction",
            "roomReaction",
            "room_pin",
            "roomPin",
            "room_mention",
            "roomMention",
            "room_fanout",
            "roomFanout",
            "room_fanout_keep",
            "roomFanoutKeep",
            "thread_rewound",
            "threadRewound",
            "thread_branched",
            "threadBranched",
            "room_assigned",
            "roomAssigned",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Id,
            Session,
            Turn,
            Time,
            Corr,
            Actor,
            ActsFor,
            Expired,
            ThreadStarted,
            ThreadUser,
            ThreadQueued,
            ThreadSent,
            ThreadSteered,
            ThreadUnqueued,
            ThreadDelta,
            ThreadDone,
            ThreadCut,
            ThreadThinking,
            ThreadToolStarted,
            ThreadToolProgress,
            ThreadToolFinished,
            ThreadShell,
            ThreadFileChanged,
            ThreadStatus,
            ThreadStopping,
            ThreadStopped,
            ThreadFailed,
            AskOpened,
            AskAnswered,
            TermCommand,
            RoomJoined,
            RoomLeft,
            RoomReaction,
            RoomPin,
            RoomMention,
            RoomFanout,
            RoomFanoutKeep,
            ThreadRewound,
            ThreadBranched,
            RoomAssigned,
            __SkipField__,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "id" => Ok(GeneratedField::Id),
                            "session" => Ok(GeneratedField::Session),
                            "turn" => Ok(GeneratedField::Turn),
                            "time" => Ok(GeneratedField::Time),
                            "corr" => Ok(GeneratedField::Corr),
                            "actor" => Ok(GeneratedField::Actor),
                            "actsFor" | "acts_for" => Ok(GeneratedField::ActsFor),
                            "expired" => Ok(GeneratedField::Expired),
                            "threadStarted" | "thread_started" => Ok(GeneratedField::ThreadStarted),
                            "threadUser" | "thread_user" => Ok(GeneratedField::ThreadUser),
                            "threadQueued" | "thread_queued" => Ok(GeneratedField::ThreadQueued),
                            "threadSent" | "thread_sent" => Ok(GeneratedField::ThreadSent),
                            "threadSteered" | "thread_steered" => Ok(GeneratedField::ThreadSteered),
                            "threadUnqueued" | "thread_unqueued" => Ok(GeneratedField::ThreadUnqueued),
                            "threadDelta" | "thread_delta" => Ok(GeneratedField::ThreadDelta),
                            "threadDone" | "thread_done" => Ok(GeneratedField::ThreadDone),
                            "threadCut" | "thread_cut" => Ok(GeneratedField::ThreadCut),
                            "threadThinking" | "thread_thinking" => Ok(GeneratedField::ThreadThinking),
                            "threadToolStarted" | "thread_tool_started" => Ok(GeneratedField::ThreadToolStarted),
                            "threadToolProgress" | "thread_tool_progress" => Ok(GeneratedField::ThreadToolProgress),
                            "threadToolFinished" | "thread_tool_finished" => Ok(GeneratedField::ThreadToolFinished),
                            "threadShell" | "thread_shell" => Ok(GeneratedField::ThreadShell),
                            "threadFileChanged" | "thread_file_changed" => Ok(GeneratedField::ThreadFileChanged),
                            "threadStatus" | "thread_status" => Ok(GeneratedField::ThreadStatus),
                            "threadStopping" | "thread_stopping" => Ok(GeneratedField::ThreadStopping),
                            "threadStopped" | "thread_stopped" => Ok(GeneratedField::ThreadStopped),
                            "threadFailed" | "thread_failed" => Ok(GeneratedField::ThreadFailed),
                            "askOpened" | "ask_opened" => Ok(GeneratedField::AskOpened),
                            "askAnswered" | "ask_answered" => Ok(GeneratedField::AskAnswered),
                            "termCommand" | "term_command" => Ok(GeneratedField::TermCommand),
                            "roomJoined" | "room_joined" => Ok(GeneratedField::RoomJoined),
                            "roomLeft" | "room_left" => Ok(GeneratedField::RoomLeft),
                            "roomReaction" | "room_reaction" => Ok(GeneratedField::RoomReaction),
                            "roomPin" | "room_pin" => Ok(GeneratedField::RoomPin),
                            "roomMention" | "room_mention" => Ok(GeneratedField::RoomMention),
                            "roomFanout" | "room_fanout" => Ok(GeneratedField::RoomFanout),
                            "roomFanoutKeep" | "room_fanout_keep" => Ok(GeneratedField::RoomFanoutKeep),
                            "threadRewound" | "thread_rewound" => Ok(GeneratedField::ThreadRewound),
                            "threadBranched" | "thread_branched" => Ok(GeneratedField::ThreadBranched),
                            "roomAssigned" | "room_assigned" => Ok(GeneratedField::RoomAssigned),
                            _ => Ok(GeneratedField::__SkipField__),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = Event;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct vyre.stream.v1.Event")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<Event, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut id__ = None;
                let mut session__ = None;
                let mut turn__ = None;
                let mut time__ = None;
                let mut corr__ = None;
                let mut actor__ = None;
                let mut acts_for__ = None;
                let mut expired__ = None;
                let mut data__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Id => {
                            if id__.is_some() {
                                return Err(serde::de::Error::duplicate_field("id"));
                            }
                            id__ = Some(map_.next_value()?);
                        }
                        GeneratedField::Session => {
                            if session__.is_some() {
                                return Err(serde::de::Error::duplicate_field("session"));
                            }
                            session__ = Some(map_.next_value()?);
                        }
                        GeneratedField::Turn => {
                            if turn__.is_some() {
                                return Err(serde::de::Error::duplicate_field("turn"));
                            }
                            turn__ = Some(map_.next_value()?);
                        }
                        GeneratedField::Time => {
                            if time__.is_some() {
                                return Err(serde::de::Error::duplicate_field("time"));
                            }
                            time__ = 
                                Some(map_.next_value::<::pbjson::private::NumberDeserialize<_>>()?.0)
                            ;
                        }
                        GeneratedField::Corr => {
                            if corr__.is_some() {
                                return Err(serde::de::Error::duplicate_field("corr"));
                            }
                            corr__ = Some(map_.next_value()?);
                        }
                        GeneratedField::Actor => {
                            if actor__.is_some() {
                                return Err(serde::de::Error::duplicate_field("actor"));
                            }
                            actor__ = Some(map_.next_value()?);
                        }
                        GeneratedField::ActsFor => {
                            if acts_for__.is_some() {
                                return Err(serde::de::Error::duplicate_field("actsFor"));
                            }
                            acts_for__ = Some(map_.next_value()?);
                        }
                        GeneratedField::Expired => {
                            if expired__.is_some() {
                                return Err(serde::de::Error::duplicate_field("expired"));
                            }
                            expired__ = 
                                Some(map_.next_value::<::pbjson::private::NumberDeserialize<_>>()?.0)
                            ;
                        }
                        GeneratedField::ThreadStarted => {
                            if data__.is_some() {
                                return Err(serde::de::Error::duplicate_field("threadStarted"));
                            }
                            data__ = map_.next_value::<::std::option::Option<_>>()?.map(event::Data::ThreadStarted)
;
                        }
                        GeneratedField::ThreadUser => {
                            if data__.is_some() {
                                return Err(serde::de::Error::duplicate_field("threadUser"));
                            }
                            data__ = map_.next_value::<::std::option::Option<_>>()?.map(event::Data::ThreadUser)
;
                        }
                        GeneratedField::ThreadQueued => {
                            if data__.is_some() {
                                return Err(serde::de::Error::duplicate_field("threadQueued"));
                            }
                            data__ = map_.next_value::<::std::option::Option<_>>()?.map(event::Data::ThreadQueued)
;
                        }
                        GeneratedField::ThreadSent => {
                            if data__.is_some() {
                                return Err(serde::de::Error::duplicate_field("threadSent"));
                            }
                            data__ = map_.next_value::<::std::option::Option<_>>()?.map(event::Data::ThreadSent)
;
                        }
                        GeneratedField::ThreadSteered => {
                            if data__.is_some() {
                                return Err(serde::de::Error::duplicate_field("threadSteered"));
                            }
                            data__ = map_.next_value::<::std::option::Option<_>>()?.map(event::Data::ThreadSteered)
;
                        }
                        GeneratedField::ThreadUnqueued => {
                            if data__.is_some() {
                                return Err(serde::de::Error::duplicate_field("threadUnqueued"));
                            }
                            data__ = map_.next_value::<::std::option::Option<_>>()?.map(event::Data::ThreadUnqueued)
;
                        }
                        GeneratedField::ThreadDelta => {
                            if data__.is_some() {
                                return Err(serde::de::Error::duplicate_field("threadDelta"));
                            }
                            data__ = map_.next_value::<::std::option::Option<_>>()?.map(event::Data::ThreadDelta)
;
                        }
                        GeneratedField::ThreadDone => {
                            if data__.is_some() {
                                return Err(serde::de::Error::duplicate_field("threadDone"));
                            }
                            data__ = map_.next_value::<::std::option::Option<_>>()?.map(event::Data::ThreadDone)
;
                        }
                        GeneratedField::ThreadCut => {
                            if data__.is_some() {
                                return Err(serde::de::Error::duplicate_field("threadCut"));
                            }
                            data__ = map_.next_value::<::std::option::Option<_>>()?.map(event::Data::ThreadCut)
;
                        }
                        GeneratedField::ThreadThinking => {
                            if data__.is_some() {
                                return Err(serde::de::Error::duplicate_field("threadThinking"));
                            }
                            data__ = map_.next_value::<::std::option::Option<_>>()?.map(event::Data::ThreadThinking)
;
                        }
                        GeneratedField::ThreadToolStarted => {
                            if data__.is_some() {
                                return Err(serde::de::Error::duplicate_field("threadToolStarted"));
                            }
                            data__ = map_.next_value::<::std::option::Option<_>>()?.map(event::Data::ThreadToolStarted)
;
                        }
                        GeneratedField::ThreadToolProgress => {
                            if data__.is_some() {
                                return Err(serde::de::Error::duplicate_field("threadToolProgress"));
                            }
                            data__ = map_.next_value::<::std::option::Option<_>>()?.map(event::Data::ThreadToolProgress)
;
                        }
                        GeneratedField::ThreadToolFinished => {
                            if data__.is_some() {
                                return Err(serde::de::Error::duplicate_field("threadToolFinished"));
                            }
                            data__ = map_.next_value::<::std::option::Option<_>>()?.map(event::Data::ThreadToolFinished)
;
                        }
                        GeneratedField::ThreadShell => {
                            if data__.is_some() {
                                return Err(serde::de::Error::duplicate_field("threadShell"));
                            }
                            data__ = map_.next_value::<::std::option::Option<_>>()?.map(event::Data::ThreadShell)
;
                        }
                        GeneratedField::ThreadFileChanged => {
                            if data__.is_some() {
                                return Err(serde::de::Error::duplicate_field("threadFileChanged"));
                            }
                            data__ = map_.next_value::<::std::option::Option<_>>()?.map(event::Data::ThreadFileChanged)
;
                        }
                        GeneratedField::ThreadStatus => {
                            if data__.is_some() {
                                return Err(serde::de::Error::duplicate_field("threadStatus"));
                            }
                            data__ = map_.next_value::<::std::option::Option<_>>()?.map(event::Data::ThreadStatus)
;
                        }
                        GeneratedField::ThreadStopping => {
                            if data__.is_some() {
                                return Err(serde::de::Error::duplicate_field("threadStopping"));
                            }
                            data__ = map_.next_value::<::std::option::Option<_>>()?.map(event::Data::ThreadStopping)
;
                        }
                        GeneratedField::ThreadStopped => {
                            if data__.is_some() {
                                return Err(serde::de::Error::duplicate_field("threadStopped"));
                            }
                            data__ = map_.next_value::<::std::option::Option<_>>()?.map(event::Data::ThreadStopped)
;
                        }
                        GeneratedField::ThreadFailed => {
                            if data__.is_some() {
                                return Err(serde::de::Error::duplicate_field("threadFailed"));
                            }
                            data__ = map_.next_value::<::std::option::Option<_>>()?.map(event::Data::ThreadFailed)
;
                        }
                        GeneratedField::AskOpened => {
                            if data__.is_some() {
                                return Err(serde::de::Error::duplicate_field("askOpened"));
                            }
                            data__ = map_.next_value::<::std::option::Option<_>>()?.map(event::Data::AskOpened)
;
                        }
                        GeneratedField::AskAnswered => {
                            if data__.is_some() {
                                return Err(serde::de::Error::duplicate_field("askAnswered"));
                            }
                            data__ = map_.next_value::<::std::option::Option<_>>()?.map(event::Data::AskAnswered)
;
                        }
                        GeneratedField::TermCommand => {
                            if data__.is_some() {
                                return Err(serde::de::Error::duplicate_field("termCommand"));
                            }
                            data__ = map_.next_value::<::std::option::Option<_>>()?.map(event::Data::TermCommand)
;
                        }
                        GeneratedField::RoomJoined => {
                            if data__.is_some() {
                                return Err(serde::de::Error::duplicate_field("roomJoined"));
                            }
                            data__ = map_.next_value::<::std::option::Option<_>>()?.map(event::Data::RoomJoined)
;
                        }
                        GeneratedField::RoomLeft => {
                            if data__.is_some() {
                                return Err(serde::de::Error::duplicate_field("roomLeft"));
                            }
                            data__ = map_.next_value::<::std::option::Option<_>>()?.map(event::Data::RoomLeft)
;
                        }
                        GeneratedField::RoomReaction => {
                            if data__.is_some() {
                                return Err(serde::de::Error::duplicate_field("roomReaction"));
                            }
                            data__ = map_.next_value::<::std::option::Option<_>>()?.map(event::Data::RoomReaction)
;
                        }
                        GeneratedField::RoomPin => {
                            if data__.is_some() {
                                return Err(serde::de::Error::duplicate_field("roomPin"));
                            }
                            data__ = map_.next_value::<::std::option::Option<_>>()?.map(event::Data::RoomPin)
;
                        }
                        GeneratedField::RoomMention => {
                            if data__.is_some() {
                                return Err(serde::de::Error::duplicate_field("roomMention"));
                            }
                            data__ = map_.next_value::<::std::option::Option<_>>()?.map(event::Data::RoomMention)
;
                        }
                        GeneratedField::RoomFanout => {
                            if data__.is_some() {
                                return Err(serde::de::Error::duplicate_field("roomFanout"));
                            }
                            data__ = map_.next_value::<::std::option::Option<_>>()?.map(event::Data::RoomFanout)
;
                        }
                        GeneratedField::RoomFanoutKeep => {
                            if data__.is_some() {
                                return Err(serde::de::Error::duplicate_field("roomFanoutKeep"));
                            }
                            data__ = map_.next_value::<::std::option::Option<_>>()?.map(event::Data::RoomFanoutKeep)
;
                        }
                        GeneratedField::ThreadRewound => {
                            if data__.is_some() {
                                return Err(serde::de::Error::duplicate_field("threadRewound"));
                            }
                            data__ = map_.next_value::<::std::option::Option<_>>()?.map(event::Data::ThreadRewound)
;
                        }
                        GeneratedField::ThreadBranched => {
                            if data__.is_some() {
                                return Err(serde::de::Error::duplicate_field("threadBranched"));
                            }
                            data__ = map_.next_value::<::std::option::Option<_>>()?.map(event::Data::ThreadBranched)
;
                        }
                        GeneratedField::RoomAssigned => {
                            if data__.is_some() {
                                return Err(serde::de::Error::duplicate_field("roomAssigned"));
                            }
                            data__ = map_.next_value::<::std::option::Option<_>>()?.map(event::Data::RoomAssigned)
;
                        }
                        GeneratedField::__SkipField__ => {
                            let _ = map_.next_value::<serde::de::IgnoredAny>()?;
                        }
                    }
                }
                Ok(Event {
                    id: id__.unwrap_or_default(),
                    session: session__.unwrap_or_default(),
                    turn: turn__.unwrap_or_default(),
                    time: time__.unwrap_or_default(),
                    corr: corr__.unwrap_or_default(),
                    actor: actor__.unwrap_or_default(),
                    acts_for: acts_for__.unwrap_or_default(),
                    expired: expired__.unwrap_or_default(),
                    data: data__,
                })
            }
        }
        deserializer.deserialize_struct("vyre.stream.v1.Event", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for EventsPublish {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.events.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("vyre.stream.v1.EventsPublish", len)?;
        if !self.events.is_empty() {
            struct_ser.serialize_field("events", &self.events)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for EventsPublish {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "events",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Events,
            __SkipField__,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "events" => Ok(GeneratedField::Events),
                            _ => Ok(GeneratedField::__SkipField__),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = EventsPublish;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct vyre.stream.v1.EventsPublish")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<EventsPublish, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut events__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Events => {
                            if events__.is_some() {
                                return Err(serde::de::Error::duplicate_field("events"));
                            }
                            events__ = Some(map_.next_value()?);
                        }
                        GeneratedField::__SkipField__ => {
                            let _ = map_.next_value::<serde::de::IgnoredAny>()?;
                        }
                    }
                }
                Ok(EventsPublish {
                    events: events__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("vyre.stream.v1.EventsPublish", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for EventsPublished {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if self.accepted != 0 {
            len += 1;
        }
        if self.duplicates != 0 {
            len += 1;
        }
        if !self.refused.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("vyre.stream.v1.EventsPublished", len)?;
        if self.accepted != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("accepted", ToString::to_string(&self.accepted).as_str())?;
        }
        if self.duplicates != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("duplicates", ToString::to_string(&self.duplicates).as_str())?;
        }
        if !self.refused.is_empty() {
            struct_ser.serialize_field("refused", &self.refused)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for EventsPublished {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "accepted",
            "duplicates",
            "refused",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Accepted,
            Duplicates,
            Refused,
            __SkipField__,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "accepted" => Ok(GeneratedField::Accepted),
                            "duplicates" => Ok(GeneratedField::Duplicates),
                            "refused" => Ok(GeneratedField::Refused),
                            _ => Ok(GeneratedField::__SkipField__),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = EventsPublished;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct vyre.stream.v1.EventsPublished")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<EventsPublished, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut accepted__ = None;
                let mut duplicates__ = None;
                let mut refused__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Accepted => {
                            if accepted__.is_some() {
                                return Err(serde::de::Error::duplicate_field("accepted"));
                            }
                            accepted__ = 
                                Some(map_.next_value::<::pbjson::private::NumberDeserialize<_>>()?.0)
                            ;
                        }
                        GeneratedField::Duplicates => {
                            if duplicates__.is_some() {
                                return Err(serde::de::Error::duplicate_field("duplicates"));
                            }
                            duplicates__ = 
                                Some(map_.next_value::<::pbjson::private::NumberDeserialize<_>>()?.0)
                            ;
                        }
                        GeneratedField::Refused => {
                            if refused__.is_some() {
                                return Err(serde::de::Error::duplicate_field("refused"));
                            }
                            refused__ = Some(map_.next_value()?);
                        }
                        GeneratedField::__SkipField__ => {
                            let _ = map_.next_value::<serde::de::IgnoredAny>()?;
                        }
                    }
                }
                Ok(EventsPublished {
                    accepted: accepted__.unwrap_or_default(),
                    duplicates: duplicates__.unwrap_or_default(),
                    refused: refused__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("vyre.stream.v1.EventsPublished", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for Fanout {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.group.is_empty() {
            len += 1;
        }
        if !self.members.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("vyre.stream.v1.Fanout", len)?;
        if !self.group.is_empty() {
            struct_ser.serialize_field("group", &self.group)?;
        }
        if !self.members.is_empty() {
            struct_ser.serialize_field("members", &self.members)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for Fanout {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "group",
            "members",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Group,
            Members,
            __SkipField__,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "group" => Ok(GeneratedField::Group),
                            "members" => Ok(GeneratedField::Members),
                            _ => Ok(GeneratedField::__SkipField__),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = Fanout;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct vyre.stream.v1.Fanout")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<Fanout, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut group__ = None;
                let mut members__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Group => {
                            if group__.is_some() {
                                return Err(serde::de::Error::duplicate_field("group"));
                            }
                            group__ = Some(map_.next_value()?);
                        }
                        GeneratedField::Members => {
                            if members__.is_some() {
                                return Err(serde::de::Error::duplicate_field("members"));
                            }
                            members__ = Some(map_.next_value()?);
                        }
                        GeneratedField::__SkipField__ => {
                            let _ = map_.next_value::<serde::de::IgnoredAny>()?;
                        }
                    }
                }
                Ok(Fanout {
                    group: group__.unwrap_or_default(),
                    members: members__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("vyre.stream.v1.Fanout", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for FanoutKeep {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.group.is_empty() {
            len += 1;
        }
        if !self.keep.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("vyre.stream.v1.FanoutKeep", len)?;
        if !self.group.is_empty() {
            struct_ser.serialize_field("group", &self.group)?;
        }
        if !self.keep.is_empty() {
            struct_ser.serialize_field("keep", &self.keep)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for FanoutKeep {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "group",
            "keep",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Group,
            Keep,
            __SkipField__,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "group" => Ok(GeneratedField::Group),
                            "keep" => Ok(GeneratedField::Keep),
                            _ => Ok(GeneratedField::__SkipField__),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = FanoutKeep;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct vyre.stream.v1.FanoutKeep")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<FanoutKeep, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut group__ = None;
                let mut keep__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Group => {
                            if group__.is_some() {
                                return Err(serde::de::Error::duplicate_field("group"));
                            }
                            group__ = Some(map_.next_value()?);
                        }
                        GeneratedField::Keep => {
                            if keep__.is_some() {
                                return Err(serde::de::Error::duplicate_field("keep"));
                            }
                            keep__ = Some(map_.next_value()?);
                        }
                        GeneratedField::__SkipField__ => {
                            let _ = map_.next_value::<serde::de::IgnoredAny>()?;
                        }
                    }
                }
                Ok(FanoutKeep {
                    group: group__.unwrap_or_default(),
                    keep: keep__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("vyre.stream.v1.FanoutKeep", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for FanoutMember {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.who.is_empty() {
            len += 1;
        }
        if !self.message.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("vyre.stream.v1.FanoutMember", len)?;
        if !self.who.is_empty() {
            struct_ser.serialize_field("who", &self.who)?;
        }
        if !self.message.is_empty() {
            struct_ser.serialize_field("message", &self.message)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for FanoutMember {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "who",
            "message",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Who,
            Message,
            __SkipField__,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "who" => Ok(GeneratedField::Who),
                            "message" => Ok(GeneratedField::Message),
                            _ => Ok(GeneratedField::__SkipField__),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = FanoutMember;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct vyre.stream.v1.FanoutMember")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<FanoutMember, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut who__ = None;
                let mut message__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Who => {
                            if who__.is_some() {
                                return Err(serde::de::Error::duplicate_field("who"));
                            }
                            who__ = Some(map_.next_value()?);
                        }
                        GeneratedField::Message => {
                            if message__.is_some() {
                                return Err(serde::de::Error::duplicate_field("message"));
                            }
                            message__ = Some(map_.next_value()?);
                        }
                        GeneratedField::__SkipField__ => {
                            let _ = map_.next_value::<serde::de::IgnoredAny>()?;
                        }
                    }
                }
                Ok(FanoutMember {
                    who: who__.unwrap_or_default(),
                    message: message__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("vyre.stream.v1.FanoutMember", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for Field {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.name.is_empty() {
            len += 1;
        }
        if !self.read_roles.is_empty() {
            len += 1;
        }
        if self.content.is_some() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("vyre.stream.v1.Field", len)?;
        if !self.name.is_empty() {
            struct_ser.serialize_field("name", &self.name)?;
        }
        if !self.read_roles.is_empty() {
            struct_ser.serialize_field("readRoles", &self.read_roles)?;
        }
        if let Some(v) = self.content.as_ref() {
            match v {
                field::Content::Value(v) => {
                    struct_ser.serialize_field("value", v)?;
                }
                field::Content::Sealed(v) => {
                    struct_ser.serialize_field("sealed", v)?;
                }
                field::Content::Hidden(v) => {
                    struct_ser.serialize_field("hidden", v)?;
                }
            }
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for Field {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "name",
            "read_roles",
            "readRoles",
            "value",
            "sealed",
            "hidden",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Name,
            ReadRoles,
            Value,
            Sealed,
            Hidden,
            __SkipField__,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "name" => Ok(GeneratedField::Name),
                            "readRoles" | "read_roles" => Ok(GeneratedField::ReadRoles),
                            "value" => Ok(GeneratedField::Value),
                            "sealed" => Ok(GeneratedField::Sealed),
                            "hidden" => Ok(GeneratedField::Hidden),
                            _ => Ok(GeneratedField::__SkipField__),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = Field;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct vyre.stream.v1.Field")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<Field, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut name__ = None;
                let mut read_roles__ = None;
                let mut content__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Name => {
                            if name__.is_some() {
                                return Err(serde::de::Error::duplicate_field("name"));
                            }
                            name__ = Some(map_.next_value()?);
                        }
                        GeneratedField::ReadRoles => {
                            if read_roles__.is_some() {
                                return Err(serde::de::Error::duplicate_field("readRoles"));
                            }
                            read_roles__ = Some(map_.next_value()?);
                        }
                        GeneratedField::Value => {
                            if content__.is_some() {
                                return Err(serde::de::Error::duplicate_field("value"));
                            }
                            content__ = map_.next_value::<::std::option::Option<_>>()?.map(field::Content::Value);
                        }
                        GeneratedField::Sealed => {
                            if content__.is_some() {
                                return Err(serde::de::Error::duplicate_field("sealed"));
                            }
                            content__ = map_.next_value::<::std::option::Option<_>>()?.map(field::Content::Sealed)
;
                        }
                        GeneratedField::Hidden => {
                            if content__.is_some() {
                                return Err(serde::de::Error::duplicate_field("hidden"));
                            }
                            content__ = map_.next_value::<::std::option::Option<_>>()?.map(field::Content::Hidden)
;
                        }
                        GeneratedField::__SkipField__ => {
                            let _ = map_.next_value::<serde::de::IgnoredAny>()?;
                        }
                    }
                }
                Ok(Field {
                    name: name__.unwrap_or_default(),
                    read_roles: read_roles__.unwrap_or_default(),
                    content: content__,
                })
            }
        }
        deserializer.deserialize_struct("vyre.stream.v1.Field", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for FileChanged {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.path.is_empty() {
            len += 1;
        }
        if self.change != 0 {
            len += 1;
        }
        if !self.from.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("vyre.stream.v1.FileChanged", len)?;
        if !self.path.is_empty() {
            struct_ser.serialize_field("path", &self.path)?;
        }
        if self.change != 0 {
            let v = Change::try_from(self.change)
                .map_err(|_| serde::ser::Error::custom(format!("Invalid variant {}", self.change)))?;
            struct_ser.serialize_field("change", &v)?;
        }
        if !self.from.is_empty() {
            struct_ser.serialize_field("from", &self.from)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for FileChanged {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "path",
            "change",
            "from",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Path,
            Change,
            From,
            __SkipField__,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "path" => Ok(GeneratedField::Path),
                            "change" => Ok(GeneratedField::Change),
                            "from" => Ok(GeneratedField::From),
                            _ => Ok(GeneratedField::__SkipField__),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = FileChanged;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct vyre.stream.v1.FileChanged")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<FileChanged, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut path__ = None;
                let mut change__ = None;
                let mut from__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Path => {
                            if path__.is_some() {
                                return Err(serde::de::Error::duplicate_field("path"));
                            }
                            path__ = Some(map_.next_value()?);
                        }
                        GeneratedField::Change => {
                            if change__.is_some() {
                                return Err(serde::de::Error::duplicate_field("change"));
                            }
                            change__ = Some(map_.next_value::<Change>()? as i32);
                        }
                        GeneratedField::From => {
                            if from__.is_some() {
                                return Err(serde::de::Error::duplicate_field("from"));
                            }
                            from__ = Some(map_.next_value()?);
                        }
                        GeneratedField::__SkipField__ => {
                            let _ = map_.next_value::<serde::de::IgnoredAny>()?;
                        }
                    }
                }
                Ok(FileChanged {
                    path: path__.unwrap_or_default(),
                    change: change__.unwrap_or_default(),
                    from: from__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("vyre.stream.v1.FileChanged", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for FileEntry {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.path.is_empty() {
            len += 1;
        }
        if !self.change.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("vyre.stream.v1.FileEntry", len)?;
        if !self.path.is_empty() {
            struct_ser.serialize_field("path", &self.path)?;
        }
        if !self.change.is_empty() {
            struct_ser.serialize_field("change", &self.change)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for FileEntry {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "path",
            "change",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Path,
            Change,
            __SkipField__,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "path" => Ok(GeneratedField::Path),
                            "change" => Ok(GeneratedField::Change),
                            _ => Ok(GeneratedField::__SkipField__),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = FileEntry;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct vyre.stream.v1.FileEntry")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<FileEntry, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut path__ = None;
                let mut change__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Path => {
                            if path__.is_some() {
                                return Err(serde::de::Error::duplicate_field("path"));
                            }
                            path__ = Some(map_.next_value()?);
                        }
                        GeneratedField::Change => {
                            if change__.is_some() {
                                return Err(serde::de::Error::duplicate_field("change"));
                            }
                            change__ = Some(map_.next_value()?);
                        }
                        GeneratedField::__SkipField__ => {
                            let _ = map_.next_value::<serde::de::IgnoredAny>()?;
                        }
                    }
                }
                Ok(FileEntry {
                    path: path__.unwrap_or_default(),
                    change: change__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("vyre.stream.v1.FileEntry", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for FilesBlock {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.files.is_empty() {
            len += 1;
        }
        if !self.detail.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("vyre.stream.v1.FilesBlock", len)?;
        if !self.files.is_empty() {
            struct_ser.serialize_field("files", &self.files)?;
        }
        if !self.detail.is_empty() {
            struct_ser.serialize_field("detail", &self.detail)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for FilesBlock {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "files",
            "detail",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Files,
            Detail,
            __SkipField__,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "files" => Ok(GeneratedField::Files),
                            "detail" => Ok(GeneratedField::Detail),
                            _ => Ok(GeneratedField::__SkipField__),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = FilesBlock;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct vyre.stream.v1.FilesBlock")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<FilesBlock, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut files__ = None;
                let mut detail__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Files => {
                            if files__.is_some() {
                                return Err(serde::de::Error::duplicate_field("files"));
                            }
                            files__ = Some(map_.next_value()?);
                        }
                        GeneratedField::Detail => {
                            if detail__.is_some() {
                                return Err(serde::de::Error::duplicate_field("detail"));
                            }
                            detail__ = Some(map_.next_value()?);
                        }
                        GeneratedField::__SkipField__ => {
                            let _ = map_.next_value::<serde::de::IgnoredAny>()?;
                        }
                    }
                }
                Ok(FilesBlock {
                    files: files__.unwrap_or_default(),
                    detail: detail__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("vyre.stream.v1.FilesBlock", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for FlowChangeBlock {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.flow.is_empty() {
            len += 1;
        }
        if !self.summary.is_empty() {
            len += 1;
        }
        if !self.steps.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("vyre.stream.v1.FlowChangeBlock", len)?;
        if !self.flow.is_empty() {
            struct_ser.serialize_field("flow", &self.flow)?;
        }
        if !self.summary.is_empty() {
            struct_ser.serialize_field("summary", &self.summary)?;
        }
        if !self.steps.is_empty() {
            struct_ser.serialize_field("steps", &self.steps)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for FlowChangeBlock {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "flow",
            "summary",
            "steps",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Flow,
            Summary,
            Steps,
            __SkipField__,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "flow" => Ok(GeneratedField::Flow),
                            "summary" => Ok(GeneratedField::Summary),
                            "steps" => Ok(GeneratedField::Steps),
                            _ => Ok(GeneratedField::__SkipField__),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = FlowChangeBlock;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct vyre.stream.v1.FlowChangeBlock")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<FlowChangeBlock, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut flow__ = None;
                let mut summary__ = None;
                let mut steps__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Flow => {
                            if flow__.is_some() {
                                return Err(serde::de::Error::duplicate_field("flow"));
                            }
                            flow__ = Some(map_.next_value()?);
                        }
                        GeneratedField::Summary => {
                            if summary__.is_some() {
                                return Err(serde::de::Error::duplicate_field("summary"));
                            }
                            summary__ = Some(map_.next_value()?);
                        }
                        GeneratedField::Steps => {
                            if steps__.is_some() {
                                return Err(serde::de::Error::duplicate_field("steps"));
                            }
                            steps__ = Some(map_.next_value()?);
                        }
                        GeneratedField::__SkipField__ => {
                            let _ = map_.next_value::<serde::de::IgnoredAny>()?;
                        }
                    }
                }
                Ok(FlowChangeBlock {
                    flow: flow__.unwrap_or_default(),
                    summary: summary__.unwrap_or_default(),
                    steps: steps__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("vyre.stream.v1.FlowChangeBlock", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for Frame {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if self.v != 0 {
            len += 1;
        }
        if self.cur != 0 {
            len += 1;
        }
        if self.span != 0 {
            len += 1;
        }
        if !self.id.is_empty() {
            len += 1;
        }
        if self.index != 0 {
            len += 1;
        }
        if !self.session.is_empty() {
            len += 1;
        }
        if !self.turn.is_empty() {
            len += 1;
        }
        if self.time != 0 {
            len += 1;
        }
        if !self.corr.is_empty() {
            len += 1;
        }
        if !self.author.is_empty() {
            len += 1;
        }
        if !self.acts_for.is_empty() {
            len += 1;
        }
        if !self.message.is_empty() {
            len += 1;
        }
        if !self.parent.is_empty() {
            len += 1;
        }
        if !self.rid.is_empty() {
            len += 1;
        }
        if self.ver != 0 {
            len += 1;
        }
        if self.expired {
            len += 1;
        }
        if self.cut {
            len += 1;
        }
        if self.data.is_some() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("vyre.stream.v1.Frame", len)?;
        if self.v != 0 {
            struct_ser.serialize_field("v", &self.v)?;
        }
        if self.cur != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("cur", ToString::to_string(&self.cur).as_str())?;
        }
        if self.span != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("span", ToString::to_string(&self.span).as_str())?;
        }
        if !self.id.is_empty() {
            struct_ser.serialize_field("id", &self.id)?;
        }
        if self.index != 0 {
            struct_ser.serialize_field("index", &self.index)?;
        }
        if !self.session.is_empty() {
            struct_ser.serialize_field("session", &self.session)?;
        }
        if !self.turn.is_empty() {
            struct_ser.serialize_field("turn", &self.turn)?;
        }
        if self.time != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("time", ToString::to_string(&self.time).as_str())?;
        }
        if !self.corr.is_empty() {
            struct_ser.serialize_field("corr", &self.corr)?;
        }
        if !self.author.is_empty() {
            struct_ser.serialize_field("author", &self.author)?;
        }
        if !self.acts_for.is_empty() {
            struct_ser.serialize_field("actsFor", &self.acts_for)?;
        }
        if !self.message.is_empty() {
            struct_ser.serialize_field("message", &self.message)?;
        }
        if !self.parent.is_empty() {
            struct_ser.serialize_field("parent", &self.parent)?;
        }
        if !self.rid.is_empty() {
            struct_ser.serialize_field("rid", &self.rid)?;
        }
        if self.ver != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("ver", ToString::to_string(&self.ver).as_str())?;
        }
        if self.expired {
            struct_ser.serialize_field("expired", &self.expired)?;
        }
        if self.cut {
            struct_ser.serialize_field("cut", &self.cut)?;
        }
        if let Some(v) = self.data.as_ref() {
            match v {
                frame::Data::TextDelta(v) => {
                    struct_ser.serialize_field("textDelta", v)?;
                }
                frame::Data::TextDone(v) => {
                    struct_ser.serialize_field("textDone", v)?;
                }
                frame::Data::TextCut(v) => {
                    struct_ser.serialize_field("textCut", v)?;
                }
                frame::Data::ToolStarted(v) => {
                    struct_ser.serialize_field("toolStarted", v)?;
                }
                frame::Data::ToolProgress(v) => {
                    struct_ser.serialize_field("toolProgress", v)?;
                }
                frame::Data::ToolFinished(v) => {
                    struct_ser.serialize_field("toolFinished", v)?;
                }
                frame::Data::TermChunk(v) => {
                    struct_ser.serialize_field("termChunk", v)?;
                }
                frame::Data::TermCommand(v) => {
                    struct_ser.serialize_field("termCommand", v)?;
                }
                frame::Data::FileChanged(v) => {
                    struct_ser.serialize_field("fileChanged", v)?;
                }
                frame::Data::Ask(v) => {
                    struct_ser.serialize_field("ask", v)?;
                }
                frame::Data::AskAnswered(v) => {
                    struct_ser.serialize_field("askAnswered", v)?;
                }
                frame::Data::UserMessage(v) => {
                    struct_ser.serialize_field("userMessage", v)?;
                }
                frame::Data::Status(v) => {
                    struct_ser.serialize_field("status", v)?;
                }
                frame::Data::ParticipantJoined(v) => {
                    struct_ser.serialize_field("participantJoined", v)?;
                }
                frame::Data::ParticipantLeft(v) => {
                    struct_ser.serialize_field("participantLeft", v)?;
                }
                frame::Data::Reaction(v) => {
                    struct_ser.serialize_field("reaction", v)?;
                }
                frame::Data::Pin(v) => {
                    struct_ser.serialize_field("pin", v)?;
                }
                frame::Data::Mention(v) => {
                    struct_ser.serialize_field("mention", v)?;
                }
                frame::Data::Fanout(v) => {
                    struct_ser.serialize_field("fanout", v)?;
                }
                frame::Data::FanoutKeep(v) => {
                    struct_ser.serialize_field("fanoutKeep", v)?;
                }
                frame::Data::Lost(v) => {
                    struct_ser.serialize_field("lost", v)?;
                }
                frame::Data::Rewound(v) => {
                    struct_ser.serialize_field("rewound", v)?;
                }
                frame::Data::Branched(v) => {
                    struct_ser.serialize_field("branched", v)?;
                }
                frame::Data::Hidden(v) => {
                    struct_ser.serialize_field("hidden", v)?;
                }
                frame::Data::Hello(v) => {
                    struct_ser.serialize_field("hello", v)?;
                }
                frame::Data::Reset(v) => {
                    struct_ser.serialize_field("reset", v)?;
                }
                frame::Data::Heartbeat(v) => {
                    struct_ser.serialize_field("heartbeat", v)?;
                }
                frame::Data::Bye(v) => {
                    struct_ser.serialize_field("bye", v)?;
                }
                frame::Data::Presence(v) => {
                    struct_ser.serialize_field("presence", v)?;
                }
                frame::Data::ReadMarker(v) => {
                    struct_ser.serialize_field("readMarker", v)?;
                }
                frame::Data::SessionHead(v) => {
                    struct_ser.serialize_field("sessionHead", v)?;
                }
            }
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for Frame {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "v",
            "cur",
            "span",
            "id",
            "index",
            "session",
            "turn",
            "time",
            "corr",
            "author",
            "acts_for",
            "actsFor",
            "message",
            "parent",
            "rid",
            "ver",
            "expired",
            "cut",
            "text_delta",
            "textDelta",
            "text_done",
            "textDone",
            "text_cut",
            "textCut",
            "tool_started",
            "toolStarted",
            "tool_progress",
            "toolProgress",
            "tool_finished",
            "toolFinished",
            "term_chunk",
            "termChunk",
            "term_command",
            "termCommand",
            "file_changed",
            "fileChanged",
            "ask",
            "ask_answered",
            "askAnswered",
            "user_message",
            "userMessage",
            "status",
            "participant_joined",
            "participantJoined",
            "participant_left",
            "participantLeft",
            "reaction",
            "pin",
            "mention",
            "fanout",
            "fanout_keep",
            "fanoutKeep",
            "lost",
            "rewound",
            "branched",
            "hidden",
            "hello",
            "reset",
            "heartbeat",
            "bye",
            "presence",
            "read_marker",
            "readMarker",
            "session_head",
            "sessionHead",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            V,
            Cur,
            Span,
            Id,
            Index,
            Session,
            Turn,
            Time,
            Corr,
            Author,
            ActsFor,
            Message,
            Parent,
            Rid,
            Ver,
            Expired,
            Cut,
            TextDelta,
            TextDone,
            TextCut,
            ToolStarted,
            ToolProgress,
            ToolFinished,
            TermChunk,
            TermCommand,
            FileChanged,
            Ask,
            AskAnswered,
            UserMessage,
            Status,
            ParticipantJoined,
            ParticipantLeft,
            Reaction,
            Pin,
            Mention,
            Fanout,
            FanoutKeep,
            Lost,
            Rewound,
            Branched,
            Hidden,
            Hello,
            Reset,
            Heartbeat,
            Bye,
            Presence,
            ReadMarker,
            SessionHead,
            __SkipField__,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "v" => Ok(GeneratedField::V),
                            "cur" => Ok(GeneratedField::Cur),
                            "span" => Ok(GeneratedField::Span),
                            "id" => Ok(GeneratedField::Id),
                            "index" => Ok(GeneratedField::Index),
                            "session" => Ok(GeneratedField::Session),
                            "turn" => Ok(GeneratedField::Turn),
                            "time" => Ok(GeneratedField::Time),
                            "corr" => Ok(GeneratedField::Corr),
                            "author" => Ok(GeneratedField::Author),
                            "actsFor" | "acts_for" => Ok(GeneratedField::ActsFor),
                            "message" => Ok(GeneratedField::Message),
                            "parent" => Ok(GeneratedField::Parent),
                            "rid" => Ok(GeneratedField::Rid),
                            "ver" => Ok(GeneratedField::Ver),
                            "expired" => Ok(GeneratedField::Expired),
                            "cut" => Ok(GeneratedField::Cut),
                            "textDelta" | "text_delta" => Ok(GeneratedField::TextDelta),
                            "textDone" | "text_done" => Ok(GeneratedField::TextDone),
                            "textCut" | "text_cut" => Ok(GeneratedField::TextCut),
                            "toolStarted" | "tool_started" => Ok(GeneratedField::ToolStarted),
                            "toolProgress" | "tool_progress" => Ok(GeneratedField::ToolProgress),
                            "toolFinished" | "tool_finished" => Ok(GeneratedField::ToolFinished),
                            "termChunk" | "term_chunk" => Ok(GeneratedField::TermChunk),
                            "termCommand" | "term_command" => Ok(GeneratedField::TermCommand),
                            "fileChanged" | "file_changed" => Ok(GeneratedField::FileChanged),
                            "ask" => Ok(GeneratedField::Ask),
                            "askAnswered" | "ask_answered" => Ok(GeneratedField::AskAnswered),
                            "userMessage" | "user_message" => Ok(GeneratedField::UserMessage),
                            "status" => Ok(GeneratedField::Status),
                            "participantJoined" | "participant_joined" => Ok(GeneratedField::ParticipantJoined),
                            "participantLeft" | "participant_left" => Ok(GeneratedField::ParticipantLeft),
                            "reaction" => Ok(GeneratedField::Reaction),
                            "pin" => Ok(GeneratedField::Pin),
                            "mention" => Ok(GeneratedField::Mention),
                            "fanout" => Ok(GeneratedField::Fanout),
                            "fanoutKeep" | "fanout_keep" => Ok(GeneratedField::FanoutKeep),
                            "lost" => Ok(GeneratedField::Lost),
                            "rewound" => Ok(GeneratedField::Rewound),
                            "branched" => Ok(GeneratedField::Branched),
                            "hidden" => Ok(GeneratedField::Hidden),
                            "hello" => Ok(GeneratedField::Hello),
                            "reset" => Ok(GeneratedField::Reset),
                            "heartbeat" => Ok(GeneratedField::Heartbeat),
                            "bye" => Ok(GeneratedField::Bye),
                            "presence" => Ok(GeneratedField::Presence),
                            "readMarker" | "read_marker" => Ok(GeneratedField::ReadMarker),
                            "sessionHead" | "session_head" => Ok(GeneratedField::SessionHead),
                            _ => Ok(GeneratedField::__SkipField__),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = Frame;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct vyre.stream.v1.Frame")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<Frame, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut v__ = None;
                let mut cur__ = None;
                let mut span__ = None;
                let mut id__ = None;
                let mut index__ = None;
                let mut session__ = None;
                let mut turn__ = None;
                let mut time__ = None;
                let mut corr__ = None;
                let mut author__ = None;
                let mut acts_for__ = None;
                let mut message__ = None;
                let mut parent__ = None;
                let mut rid__ = None;
                let mut ver__ = None;
                let mut expired__ = None;
                let mut cut__ = None;
                let mut data__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::V => {
                            if v__.is_some() {
                                return Err(serde::de::Error::duplicate_field("v"));
                            }
                            v__ = 
                                Some(map_.next_value::<::pbjson::private::NumberDeserialize<_>>()?.0)
                            ;
                        }
                        GeneratedField::Cur => {
                            if cur__.is_some() {
                                return Err(serde::de::Error::duplicate_field("cur"));
                            }
                            cur__ = 
                                Some(map_.next_value::<::pbjson::private::NumberDeserialize<_>>()?.0)
                            ;
                        }
                        GeneratedField::Span => {
                            if span__.is_some() {
                                return Err(serde::de::Error::duplicate_field("span"));
                            }
                            span__ = 
                                Some(map_.next_value::<::pbjson::private::NumberDeserialize<_>>()?.0)
                            ;
                        }
                        GeneratedField::Id => {
                            if id__.is_some() {
                                return Err(serde::de::Error::duplicate_field("id"));
                            }
                            id__ = Some(map_.next_value()?);
                        }
                        GeneratedField::Index => {
                            if index__.is_some() {
                                return Err(serde::de::Error::duplicate_field("index"));
                            }
                            index__ = 
                                Some(map_.next_value::<::pbjson::private::NumberDeserialize<_>>()?.0)
                            ;
                        }
                        GeneratedField::Session => {
                            if session__.is_some() {
                                return Err(serde::de::Error::duplicate_field("session"));
                            }
                            session__ = Some(map_.next_value()?);
                        }
                        GeneratedField::Turn => {
                            if turn__.is_some() {
                                return Err(serde::de::Error::duplicate_field("turn"));
                            }
                            turn__ = Some(map_.next_value()?);
                        }
                        GeneratedField::Time => {
                            if time__.is_some() {
                                return Err(serde::de::Error::duplicate_field("time"));
                            }
                            time__ = 
                                Some(map_.next_value::<::pbjson::private::NumberDeserialize<_>>()?.0)
                            ;
                        }
                        GeneratedField::Corr => {
                            if corr__.is_some() {
                                return Err(serde::de::Error::duplicate_field("corr"));
                            }
                            corr__ = Some(map_.next_value()?);
                        }
                        GeneratedField::Author => {
                            if author__.is_some() {
                                return Err(serde::de::Error::duplicate_field("author"));
                            }
                            author__ = Some(map_.next_value()?);
                        }
                        GeneratedField::ActsFor => {
                            if acts_for__.is_some() {
                                return Err(serde::de::Error::duplicate_field("actsFor"));
                            }
                            acts_for__ = Some(map_.next_value()?);
                        }
                        GeneratedField::Message => {
                            if message__.is_some() {
                                return Err(serde::de::Error::duplicate_field("message"));
                            }
                            message__ = Some(map_.next_value()?);
                        }
                        GeneratedField::Parent => {
                            if parent__.is_some() {
                                return Err(serde::de::Error::duplicate_field("parent"));
                            }
                            parent__ = Some(map_.next_value()?);
                        }
                        GeneratedField::Rid => {
                            if rid__.is_some() {
                                return Err(serde::de::Error::duplicate_field("rid"));
                            }
                            rid__ = Some(map_.next_value()?);
                        }
                        GeneratedField::Ver => {
                            if ver__.is_some() {
                                return Err(serde::de::Error::duplicate_field("ver"));
                            }
                            ver__ = 
                                Some(map_.next_value::<::pbjson::private::NumberDeserialize<_>>()?.0)
                            ;
                        }
                        GeneratedField::Expired => {
                            if expired__.is_some() {
                                return Err(serde::de::Error::duplicate_field("expired"));
                            }
                            expired__ = Some(map_.next_value()?);
                        }
                        GeneratedField::Cut => {
                            if cut__.is_some() {
                                return Err(serde::de::Error::duplicate_field("cut"));
                            }
                            cut__ = Some(map_.next_value()?);
                        }
                        GeneratedField::TextDelta => {
                            if data__.is_some() {
                                return Err(serde::de::Error::duplicate_field("textDelta"));
                            }
                            data__ = map_.next_value::<::std::option::Option<_>>()?.map(frame::Data::TextDelta)
;
                        }
                        GeneratedField::TextDone => {
                            if data__.is_some() {
                                return Err(serde::de::Error::duplicate_field("textDone"));
                            }
                            data__ = map_.next_value::<::std::option::Option<_>>()?.map(frame::Data::TextDone)
;
                        }
                        GeneratedField::TextCut => {
                            if data__.is_some() {
                                return Err(serde::de::Error::duplicate_field("textCut"));
                            }
                            data__ = map_.next_value::<::std::option::Option<_>>()?.map(frame::Data::TextCut)
;
                        }
                        GeneratedField::ToolStarted => {
                            if data__.is_some() {
                                return Err(serde::de::Error::duplicate_field("toolStarted"));
                            }
                            data__ = map_.next_value::<::std::option::Option<_>>()?.map(frame::Data::ToolStarted)
;
                        }
                        GeneratedField::ToolProgress => {
                            if data__.is_some() {
                                return Err(serde::de::Error::duplicate_field("toolProgress"));
                            }
                            data__ = map_.next_value::<::std::option::Option<_>>()?.map(frame::Data::ToolProgress)
;
                        }
                        GeneratedField::ToolFinished => {
                            if data__.is_some() {
                                return Err(serde::de::Error::duplicate_field("toolFinished"));
                            }
                            data__ = map_.next_value::<::std::option::Option<_>>()?.map(frame::Data::ToolFinished)
;
                        }
                        GeneratedField::TermChunk => {
                            if data__.is_some() {
                                return Err(serde::de::Error::duplicate_field("termChunk"));
                            }
                            data__ = map_.next_value::<::std::option::Option<_>>()?.map(frame::Data::TermChunk)
;
                        }
                        GeneratedField::TermCommand => {
                            if data__.is_some() {
                                return Err(serde::de::Error::duplicate_field("termCommand"));
                            }
                            data__ = map_.next_value::<::std::option::Option<_>>()?.map(frame::Data::TermCommand)
;
                        }
                        GeneratedField::FileChanged => {
                            if data__.is_some() {
                                return Err(serde::de::Error::duplicate_field("fileChanged"));
                            }
                            data__ = map_.next_value::<::std::option::Option<_>>()?.map(frame::Data::FileChanged)
;
                        }
                        GeneratedField::Ask => {
                            if data__.is_some() {
                                return Err(serde::de::Error::duplicate_field("ask"));
                            }
                            data__ = map_.next_value::<::std::option::Option<_>>()?.map(frame::Data::Ask)
;
                        }
                        GeneratedField::AskAnswered => {
                            if data__.is_some() {
                                return Err(serde::de::Error::duplicate_field("askAnswered"));
                            }
                            data__ = map_.next_value::<::std::option::Option<_>>()?.map(frame::Data::AskAnswered)
;
                        }
                        GeneratedField::UserMessage => {
                            if data__.is_some() {
                                return Err(serde::de::Error::duplicate_field("userMessage"));
                            }
                            data__ = map_.next_value::<::std::option::Option<_>>()?.map(frame::Data::UserMessage)
;
                        }
                        GeneratedField::Status => {
                            if data__.is_some() {
                                return Err(serde::de::Error::duplicate_field("status"));
                            }
                            data__ = map_.next_value::<::std::option::Option<_>>()?.map(frame::Data::Status)
;
                        }
                        GeneratedField::ParticipantJoined => {
                            if data__.is_some() {
                                return Err(serde::de::Error::duplicate_field("participantJoined"));
                            }
                            data__ = map_.next_value::<::std::option::Option<_>>()?.map(frame::Data::ParticipantJoined)
;
                        }
                        GeneratedField::ParticipantLeft => {
                            if data__.is_some() {
                                return Err(serde::de::Error::duplicate_field("participantLeft"));
                            }
                            data__ = map_.next_value::<::std::option::Option<_>>()?.map(frame::Data::ParticipantLeft)
;
                        }
                        GeneratedField::Reaction => {
                            if data__.is_some() {
                                return Err(serde::de::Error::duplicate_field("reaction"));
                            }
                            data__ = map_.next_value::<::std::option::Option<_>>()?.map(frame::Data::Reaction)
;
                        }
                        GeneratedField::Pin => {
                            if data__.is_some() {
                                return Err(serde::de::Error::duplicate_field("pin"));
                            }
                            data__ = map_.next_value::<::std::option::Option<_>>()?.map(frame::Data::Pin)
;
                        }
                        GeneratedField::Mention => {
                            if data__.is_some() {
                                return Err(serde::de::Error::duplicate_field("mention"));
                            }
                            data__ = map_.next_value::<::std::option::Option<_>>()?.map(frame::Data::Mention)
;
                        }
                        GeneratedField::Fanout => {
                            if data__.is_some() {
                                return Err(serde::de::Error::duplicate_field("fanout"));
                            }
                            data__ = map_.next_value::<::std::option::Option<_>>()?.map(frame::Data::Fanout)
;
                        }
                        GeneratedField::FanoutKeep => {
                            if data__.is_some() {
                                return Err(serde::de::Error::duplicate_field("fanoutKeep"));
                            }
                            data__ = map_.next_value::<::std::option::Option<_>>()?.map(frame::Data::FanoutKeep)
;
                        }
                        GeneratedField::Lost => {
                            if data__.is_some() {
                                return Err(serde::de::Error::duplicate_field("lost"));
                            }
                            data__ = map_.next_value::<::std::option::Option<_>>()?.map(frame::Data::Lost)
;
                        }
                        GeneratedField::Rewound => {
                            if data__.is_some() {
                                return Err(serde::de::Error::duplicate_field("rewound"));
                            }
                            data__ = map_.next_value::<::std::option::Option<_>>()?.map(frame::Data::Rewound)
;
                        }
                        GeneratedField::Branched => {
                            if data__.is_some() {
                                return Err(serde::de::Error::duplicate_field("branched"));
                            }
                            data__ = map_.next_value::<::std::option::Option<_>>()?.map(frame::Data::Branched)
;
                        }
                        GeneratedField::Hidden => {
                            if data__.is_some() {
                                return Err(serde::de::Error::duplicate_field("hidden"));
                            }
                            data__ = map_.next_value::<::std::option::Option<_>>()?.map(frame::Data::Hidden)
;
                        }
                        GeneratedField::Hello => {
                            if data__.is_some() {
                                return Err(serde::de::Error::duplicate_field("hello"));
                            }
                            data__ = map_.next_value::<::std::option::Option<_>>()?.map(frame::Data::Hello)
;
                        }
                        GeneratedField::Reset => {
                            if data__.is_some() {
                                return Err(serde::de::Error::duplicate_field("reset"));
                            }
                            data__ = map_.next_value::<::std::option::Option<_>>()?.map(frame::Data::Reset)
;
                        }
                        GeneratedField::Heartbeat => {
                            if data__.is_some() {
                                return Err(serde::de::Error::duplicate_field("heartbeat"));
                            }
                            data__ = map_.next_value::<::std::option::Option<_>>()?.map(frame::Data::Heartbeat)
;
                        }
                        GeneratedField::Bye => {
                            if data__.is_some() {
                                return Err(serde::de::Error::duplicate_field("bye"));
                            }
                            data__ = map_.next_value::<::std::option::Option<_>>()?.map(frame::Data::Bye)
;
                        }
                        GeneratedField::Presence => {
                            if data__.is_some() {
                                return Err(serde::de::Error::duplicate_field("presence"));
                            }
                            data__ = map_.next_value::<::std::option::Option<_>>()?.map(frame::Data::Presence)
;
                        }
                        GeneratedField::ReadMarker => {
                            if data__.is_some() {
                                return Err(serde::de::Error::duplicate_field("readMarker"));
                            }
                            data__ = map_.next_value::<::std::option::Option<_>>()?.map(frame::Data::ReadMarker)
;
                        }
                        GeneratedField::SessionHead => {
                            if data__.is_some() {
                                return Err(serde::de::Error::duplicate_field("sessionHead"));
                            }
                            data__ = map_.next_value::<::std::option::Option<_>>()?.map(frame::Data::SessionHead)
;
                        }
                        GeneratedField::__SkipField__ => {
                            let _ = map_.next_value::<serde::de::IgnoredAny>()?;
                        }
                    }
                }
                Ok(Frame {
                    v: v__.unwrap_or_default(),
                    cur: cur__.unwrap_or_default(),
                    span: span__.unwrap_or_default(),
                    id: id__.unwrap_or_default(),
                    index: index__.unwrap_or_default(),
                    session: session__.unwrap_or_default(),
                    turn: turn__.unwrap_or_default(),
                    time: time__.unwrap_or_default(),
                    corr: corr__.unwrap_or_default(),
                    author: author__.unwrap_or_default(),
                    acts_for: acts_for__.unwrap_or_default(),
                    message: message__.unwrap_or_default(),
                    parent: parent__.unwrap_or_default(),
                    rid: rid__.unwrap_or_default(),
                    ver: ver__.unwrap_or_default(),
                    expired: expired__.unwrap_or_default(),
                    cut: cut__.unwrap_or_default(),
                    data: data__,
                })
            }
        }
        deserializer.deserialize_struct("vyre.stream.v1.Frame", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for Heartbeat {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if self.head != 0 {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("vyre.stream.v1.Heartbeat", len)?;
        if self.head != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("head", ToString::to_string(&self.head).as_str())?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for Heartbeat {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "head",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Head,
            __SkipField__,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "head" => Ok(GeneratedField::Head),
                            _ => Ok(GeneratedField::__SkipField__),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = Heartbeat;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct vyre.stream.v1.Heartbeat")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<Heartbeat, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut head__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Head => {
                            if head__.is_some() {
                                return Err(serde::de::Error::duplicate_field("head"));
                            }
                            head__ = 
                                Some(map_.next_value::<::pbjson::private::NumberDeserialize<_>>()?.0)
                            ;
                        }
                        GeneratedField::__SkipField__ => {
                            let _ = map_.next_value::<serde::de::IgnoredAny>()?;
                        }
                    }
                }
                Ok(Heartbeat {
                    head: head__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("vyre.stream.v1.Heartbeat", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for Hello {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.log.is_empty() {
            len += 1;
        }
        if self.view != 0 {
            len += 1;
        }
        if self.floor != 0 {
            len += 1;
        }
        if self.head != 0 {
            len += 1;
        }
        if self.beat_ms != 0 {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("vyre.stream.v1.Hello", len)?;
        if !self.log.is_empty() {
            struct_ser.serialize_field("log", &self.log)?;
        }
        if self.view != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("view", ToString::to_string(&self.view).as_str())?;
        }
        if self.floor != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("floor", ToString::to_string(&self.floor).as_str())?;
        }
        if self.head != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("head", ToString::to_string(&self.head).as_str())?;
        }
        if self.beat_ms != 0 {
            struct_ser.serialize_field("beatMs", &self.beat_ms)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for Hello {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "log",
            "view",
            "floor",
            "head",
            "beat_ms",
            "beatMs",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Log,
            View,
            Floor,
            Head,
            BeatMs,
            __SkipField__,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "log" => Ok(GeneratedField::Log),
                            "view" => Ok(GeneratedField::View),
                            "floor" => Ok(GeneratedField::Floor),
                            "head" => Ok(GeneratedField::Head),
                            "beatMs" | "beat_ms" => Ok(GeneratedField::BeatMs),
                            _ => Ok(GeneratedField::__SkipField__),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = Hello;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct vyre.stream.v1.Hello")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<Hello, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut log__ = None;
                let mut view__ = None;
                let mut floor__ = None;
                let mut head__ = None;
                let mut beat_ms__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Log => {
                            if log__.is_some() {
                                return Err(serde::de::Error::duplicate_field("log"));
                            }
                            log__ = Some(map_.next_value()?);
                        }
                        GeneratedField::View => {
                            if view__.is_some() {
                                return Err(serde::de::Error::duplicate_field("view"));
                            }
                            view__ = 
                                Some(map_.next_value::<::pbjson::private::NumberDeserialize<_>>()?.0)
                            ;
                        }
                        GeneratedField::Floor => {
                            if floor__.is_some() {
                                return Err(serde::de::Error::duplicate_field("floor"));
                            }
                            floor__ = 
                                Some(map_.next_value::<::pbjson::private::NumberDeserialize<_>>()?.0)
                            ;
                        }
                        GeneratedField::Head => {
                            if head__.is_some() {
                                return Err(serde::de::Error::duplicate_field("head"));
                            }
                            head__ = 
                                Some(map_.next_value::<::pbjson::private::NumberDeserialize<_>>()?.0)
                            ;
                        }
                        GeneratedField::BeatMs => {
                            if beat_ms__.is_some() {
                                return Err(serde::de::Error::duplicate_field("beatMs"));
                            }
                            beat_ms__ = 
                                Some(map_.next_value::<::pbjson::private::NumberDeserialize<_>>()?.0)
                            ;
                        }
                        GeneratedField::__SkipField__ => {
                            let _ = map_.next_value::<serde::de::IgnoredAny>()?;
                        }
                    }
                }
                Ok(Hello {
                    log: log__.unwrap_or_default(),
                    view: view__.unwrap_or_default(),
                    floor: floor__.unwrap_or_default(),
                    head: head__.unwrap_or_default(),
                    beat_ms: beat_ms__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("vyre.stream.v1.Hello", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for Hidden {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let len = 0;
        let struct_ser = serializer.serialize_struct("vyre.stream.v1.Hidden", len)?;
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for Hidden {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            __SkipField__,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                            Ok(GeneratedField::__SkipField__)
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = Hidden;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct vyre.stream.v1.Hidden")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<Hidden, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                while map_.next_key::<GeneratedField>()?.is_some() {
                    let _ = map_.next_value::<serde::de::IgnoredAny>()?;
                }
                Ok(Hidden {
                })
            }
        }
        deserializer.deserialize_struct("vyre.stream.v1.Hidden", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for HiddenField {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.hidden.is_empty() {
            len += 1;
        }
        if !self.kind.is_empty() {
            len += 1;
        }
        if self.present {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("vyre.stream.v1.HiddenField", len)?;
        if !self.hidden.is_empty() {
            struct_ser.serialize_field("hidden", &self.hidden)?;
        }
        if !self.kind.is_empty() {
            struct_ser.serialize_field("kind", &self.kind)?;
        }
        if self.present {
            struct_ser.serialize_field("present", &self.present)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for HiddenField {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "hidden",
            "kind",
            "present",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Hidden,
            Kind,
            Present,
            __SkipField__,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "hidden" => Ok(GeneratedField::Hidden),
                            "kind" => Ok(GeneratedField::Kind),
                            "present" => Ok(GeneratedField::Present),
                            _ => Ok(GeneratedField::__SkipField__),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = HiddenField;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct vyre.stream.v1.HiddenField")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<HiddenField, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut hidden__ = None;
                let mut kind__ = None;
                let mut present__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Hidden => {
                            if hidden__.is_some() {
                                return Err(serde::de::Error::duplicate_field("hidden"));
                            }
                            hidden__ = Some(map_.next_value()?);
                        }
                        GeneratedField::Kind => {
                            if kind__.is_some() {
                                return Err(serde::de::Error::duplicate_field("kind"));
                            }
                            kind__ = Some(map_.next_value()?);
                        }
                        GeneratedField::Present => {
                            if present__.is_some() {
                                return Err(serde::de::Error::duplicate_field("present"));
                            }
                            present__ = Some(map_.next_value()?);
                        }
                        GeneratedField::__SkipField__ => {
                            let _ = map_.next_value::<serde::de::IgnoredAny>()?;
                        }
                    }
                }
                Ok(HiddenField {
                    hidden: hidden__.unwrap_or_default(),
                    kind: kind__.unwrap_or_default(),
                    present: present__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("vyre.stream.v1.HiddenField", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for Lane {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.message.is_empty() {
            len += 1;
        }
        if !self.author.is_empty() {
            len += 1;
        }
        if !self.acts_for.is_empty() {
            len += 1;
        }
        if !self.turn.is_empty() {
            len += 1;
        }
        if !self.parent.is_empty() {
            len += 1;
        }
        if self.channel != 0 {
            len += 1;
        }
        if self.at != 0 {
            len += 1;
        }
        if !self.corr.is_empty() {
            len += 1;
        }
        if !self.rid.is_empty() {
            len += 1;
        }
        if self.ver != 0 {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("vyre.stream.v1.Lane", len)?;
        if !self.message.is_empty() {
            struct_ser.serialize_field("message", &self.message)?;
        }
        if !self.author.is_empty() {
            struct_ser.serialize_field("author", &self.author)?;
        }
        if !self.acts_for.is_empty() {
            struct_ser.serialize_field("actsFor", &self.acts_for)?;
        }
        if !self.turn.is_empty() {
            struct_ser.serialize_field("turn", &self.turn)?;
        }
        if !self.parent.is_empty() {
            struct_ser.serialize_field("parent", &self.parent)?;
        }
        if self.channel != 0 {
            let v = Channel::try_from(self.channel)
                .map_err(|_| serde::ser::Error::custom(format!("Invalid variant {}", self.channel)))?;
            struct_ser.serialize_field("channel", &v)?;
        }
        if self.at != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("at", ToString::to_string(&self.at).as_str())?;
        }
        if !self.corr.is_empty() {
            struct_ser.serialize_field("corr", &self.corr)?;
        }
        if !self.rid.is_empty() {
            struct_ser.serialize_field("rid", &self.rid)?;
        }
        if self.ver != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("ver", ToString::to_string(&self.ver).as_str())?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for Lane {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "message",
            "author",
            "acts_for",
            "actsFor",
            "turn",
            "parent",
            "channel",
            "at",
            "corr",
            "rid",
            "ver",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Message,
            Author,
            ActsFor,
            Turn,
            Parent,
            Channel,
            At,
            Corr,
            Rid,
            Ver,
            __SkipField__,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "message" => Ok(GeneratedField::Message),
                            "author" => Ok(GeneratedField::Author),
                            "actsFor" | "acts_for" => Ok(GeneratedField::ActsFor),
                            "turn" => Ok(GeneratedField::Turn),
                            "parent" => Ok(GeneratedField::Parent),
                            "channel" => Ok(GeneratedField::Channel),
                            "at" => Ok(GeneratedField::At),
                            "corr" => Ok(GeneratedField::Corr),
                            "rid" => Ok(GeneratedField::Rid),
                            "ver" => Ok(GeneratedField::Ver),
                            _ => Ok(GeneratedField::__SkipField__),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = Lane;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct vyre.stream.v1.Lane")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<Lane, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut message__ = None;
                let mut author__ = None;
                let mut acts_for__ = None;
                let mut turn__ = None;
                let mut parent__ = None;
                let mut channel__ = None;
                let mut at__ = None;
                let mut corr__ = None;
                let mut rid__ = None;
                let mut ver__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Message => {
                            if message__.is_some() {
                                return Err(serde::de::Error::duplicate_field("message"));
                            }
                            message__ = Some(map_.next_value()?);
                        }
                        GeneratedField::Author => {
                            if author__.is_some() {
                                return Err(serde::de::Error::duplicate_field("author"));
                            }
                            author__ = Some(map_.next_value()?);
                        }
                        GeneratedField::ActsFor => {
                            if acts_for__.is_some() {
                                return Err(serde::de::Error::duplicate_field("actsFor"));
                            }
                            acts_for__ = Some(map_.next_value()?);
                        }
                        GeneratedField::Turn => {
                            if turn__.is_some() {
                                return Err(serde::de::Error::duplicate_field("turn"));
                            }
                            turn__ = Some(map_.next_value()?);
                        }
                        GeneratedField::Parent => {
                            if parent__.is_some() {
                                return Err(serde::de::Error::duplicate_field("parent"));
                            }
                            parent__ = Some(map_.next_value()?);
                        }
                        GeneratedField::Channel => {
                            if channel__.is_some() {
                                return Err(serde::de::Error::duplicate_field("channel"));
                            }
                            channel__ = Some(map_.next_value::<Channel>()? as i32);
                        }
                        GeneratedField::At => {
                            if at__.is_some() {
                                return Err(serde::de::Error::duplicate_field("at"));
                            }
                            at__ = 
                                Some(map_.next_value::<::pbjson::private::NumberDeserialize<_>>()?.0)
                            ;
                        }
                        GeneratedField::Corr => {
                            if corr__.is_some() {
                                return Err(serde::de::Error::duplicate_field("corr"));
                            }
                            corr__ = Some(map_.next_value()?);
                        }
                        GeneratedField::Rid => {
                            if rid__.is_some() {
                                return Err(serde::de::Error::duplicate_field("rid"));
                            }
                            rid__ = Some(map_.next_value()?);
                        }
                        GeneratedField::Ver => {
                            if ver__.is_some() {
                                return Err(serde::de::Error::duplicate_field("ver"));
                            }
                            ver__ = 
                                Some(map_.next_value::<::pbjson::private::NumberDeserialize<_>>()?.0)
                            ;
                        }
                        GeneratedField::__SkipField__ => {
                            let _ = map_.next_value::<serde::de::IgnoredAny>()?;
                        }
                    }
                }
                Ok(Lane {
                    message: message__.unwrap_or_default(),
                    author: author__.unwrap_or_default(),
                    acts_for: acts_for__.unwrap_or_default(),
                    turn: turn__.unwrap_or_default(),
                    parent: parent__.unwrap_or_default(),
                    channel: channel__.unwrap_or_default(),
                    at: at__.unwrap_or_default(),
                    corr: corr__.unwrap_or_default(),
                    rid: rid__.unwrap_or_default(),
                    ver: ver__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("vyre.stream.v1.Lane", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for Lost {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if self.reason != 0 {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("vyre.stream.v1.Lost", len)?;
        if self.reason != 0 {
            let v = LostReason::try_from(self.reason)
                .map_err(|_| serde::ser::Error::custom(format!("Invalid variant {}", self.reason)))?;
            struct_ser.serialize_field("reason", &v)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for Lost {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "reason",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Reason,
            __SkipField__,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "reason" => Ok(GeneratedField::Reason),
                            _ => Ok(GeneratedField::__SkipField__),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = Lost;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct vyre.stream.v1.Lost")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<Lost, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut reason__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Reason => {
                            if reason__.is_some() {
                                return Err(serde::de::Error::duplicate_field("reason"));
                            }
                            reason__ = Some(map_.next_value::<LostReason>()? as i32);
                        }
                        GeneratedField::__SkipField__ => {
                            let _ = map_.next_value::<serde::de::IgnoredAny>()?;
                        }
                    }
                }
                Ok(Lost {
                    reason: reason__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("vyre.stream.v1.Lost", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for LostReason {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        let variant = match self {
            Self::Unknown => "LOST_REASON_UNKNOWN",
            Self::Crash => "LOST_REASON_CRASH",
            Self::Damage => "LOST_REASON_DAMAGE",
        };
        serializer.serialize_str(variant)
    }
}
impl<'de> serde::Deserialize<'de> for LostReason {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "LOST_REASON_UNKNOWN",
            "LOST_REASON_CRASH",
            "LOST_REASON_DAMAGE",
        ];

        struct GeneratedVisitor;

        impl serde::de::Visitor<'_> for GeneratedVisitor {
            type Value = LostReason;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(formatter, "expected one of: {:?}", &FIELDS)
            }

            fn visit_i64<E>(self, v: i64) -> std::result::Result<Self::Value, E>
            where
                E: serde::de::Error,
            {
                i32::try_from(v)
                    .ok()
                    .and_then(|x| x.try_into().ok())
                    .ok_or_else(|| {
                        serde::de::Error::invalid_value(serde::de::Unexpected::Signed(v), &self)
                    })
            }

            fn visit_u64<E>(self, v: u64) -> std::result::Result<Self::Value, E>
            where
                E: serde::de::Error,
            {
                i32::try_from(v)
                    .ok()
                    .and_then(|x| x.try_into().ok())
                    .ok_or_else(|| {
                        serde::de::Error::invalid_value(serde::de::Unexpected::Unsigned(v), &self)
                    })
            }

            fn visit_str<E>(self, value: &str) -> std::result::Result<Self::Value, E>
            where
                E: serde::de::Error,
            {
                match value {
                    "LOST_REASON_UNKNOWN" => Ok(LostReason::Unknown),
                    "LOST_REASON_CRASH" => Ok(LostReason::Crash),
                    "LOST_REASON_DAMAGE" => Ok(LostReason::Damage),
                    _ => Err(serde::de::Error::unknown_variant(value, FIELDS)),
                }
            }
        }
        deserializer.deserialize_any(GeneratedVisitor)
    }
}
impl serde::Serialize for Mention {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.who.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("vyre.stream.v1.Mention", len)?;
        if !self.who.is_empty() {
            struct_ser.serialize_field("who", &self.who)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for Mention {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "who",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Who,
            __SkipField__,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "who" => Ok(GeneratedField::Who),
                            _ => Ok(GeneratedField::__SkipField__),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = Mention;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct vyre.stream.v1.Mention")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<Mention, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut who__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Who => {
                            if who__.is_some() {
                                return Err(serde::de::Error::duplicate_field("who"));
                            }
                            who__ = Some(map_.next_value()?);
                        }
                        GeneratedField::__SkipField__ => {
                            let _ = map_.next_value::<serde::de::IgnoredAny>()?;
                        }
                    }
                }
                Ok(Mention {
                    who: who__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("vyre.stream.v1.Mention", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for OpenAttach {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if self.open.is_some() {
            len += 1;
        }
        if self.options.is_some() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("vyre.stream.v1.OpenAttach", len)?;
        if let Some(v) = self.open.as_ref() {
            struct_ser.serialize_field("open", v)?;
        }
        if let Some(v) = self.options.as_ref() {
            struct_ser.serialize_field("options", v)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for OpenAttach {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "open",
            "options",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Open,
            Options,
            __SkipField__,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "open" => Ok(GeneratedField::Open),
                            "options" => Ok(GeneratedField::Options),
                            _ => Ok(GeneratedField::__SkipField__),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = OpenAttach;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct vyre.stream.v1.OpenAttach")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<OpenAttach, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut open__ = None;
                let mut options__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Open => {
                            if open__.is_some() {
                                return Err(serde::de::Error::duplicate_field("open"));
                            }
                            open__ = map_.next_value()?;
                        }
                        GeneratedField::Options => {
                            if options__.is_some() {
                                return Err(serde::de::Error::duplicate_field("options"));
                            }
                            options__ = map_.next_value()?;
                        }
                        GeneratedField::__SkipField__ => {
                            let _ = map_.next_value::<serde::de::IgnoredAny>()?;
                        }
                    }
                }
                Ok(OpenAttach {
                    open: open__,
                    options: options__,
                })
            }
        }
        deserializer.deserialize_struct("vyre.stream.v1.OpenAttach", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for PairClaim {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.code.is_empty() {
            len += 1;
        }
        if !self.name.is_empty() {
            len += 1;
        }
        if !self.key.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("vyre.stream.v1.PairClaim", len)?;
        if !self.code.is_empty() {
            struct_ser.serialize_field("code", &self.code)?;
        }
        if !self.name.is_empty() {
            struct_ser.serialize_field("name", &self.name)?;
        }
        if !self.key.is_empty() {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("key", pbjson::private::base64::encode(&self.key).as_str())?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for PairClaim {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "code",
            "name",
            "key",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Code,
            Name,
            Key,
            __SkipField__,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "code" => Ok(GeneratedField::Code),
                            "name" => Ok(GeneratedField::Name),
                            "key" => Ok(GeneratedField::Key),
                            _ => Ok(GeneratedField::__SkipField__),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = PairClaim;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct vyre.stream.v1.PairClaim")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<PairClaim, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut code__ = None;
                let mut name__ = None;
                let mut key__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Code => {
                            if code__.is_some() {
                                return Err(serde::de::Error::duplicate_field("code"));
                            }
                            code__ = Some(map_.next_value()?);
                        }
                        GeneratedField::Name => {
                            if name__.is_some() {
                                return Err(serde::de::Error::duplicate_field("name"));
                            }
                            name__ = Some(map_.next_value()?);
                        }
                        GeneratedField::Key => {
                            if key__.is_some() {
                                return Err(serde::de::Error::duplicate_field("key"));
                            }
                            key__ = 
                                Some(map_.next_value::<::pbjson::private::BytesDeserialize<_>>()?.0)
                            ;
                        }
                        GeneratedField::__SkipField__ => {
                            let _ = map_.next_value::<serde::de::IgnoredAny>()?;
                        }
                    }
                }
                Ok(PairClaim {
                    code: code__.unwrap_or_default(),
                    name: name__.unwrap_or_default(),
                    key: key__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("vyre.stream.v1.PairClaim", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for PairClaimed {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.device.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("vyre.stream.v1.PairClaimed", len)?;
        if !self.device.is_empty() {
            struct_ser.serialize_field("device", &self.device)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for PairClaimed {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "device",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Device,
            __SkipField__,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "device" => Ok(GeneratedField::Device),
                            _ => Ok(GeneratedField::__SkipField__),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = PairClaimed;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct vyre.stream.v1.PairClaimed")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<PairClaimed, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut device__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Device => {
                            if device__.is_some() {
                                return Err(serde::de::Error::duplicate_field("device"));
                            }
                            device__ = Some(map_.next_value()?);
                        }
                        GeneratedField::__SkipField__ => {
                            let _ = map_.next_value::<serde::de::IgnoredAny>()?;
                        }
                    }
                }
                Ok(PairClaimed {
                    device: device__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("vyre.stream.v1.PairClaimed", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for PairOffer {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let len = 0;
        let struct_ser = serializer.serialize_struct("vyre.stream.v1.PairOffer", len)?;
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for PairOffer {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            __SkipField__,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                            Ok(GeneratedField::__SkipField__)
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = PairOffer;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct vyre.stream.v1.PairOffer")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<PairOffer, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                while map_.next_key::<GeneratedField>()?.is_some() {
                    let _ = map_.next_value::<serde::de::IgnoredAny>()?;
                }
                Ok(PairOffer {
                })
            }
        }
        deserializer.deserialize_struct("vyre.stream.v1.PairOffer", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for PairOffered {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.code.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("vyre.stream.v1.PairOffered", len)?;
        if !self.code.is_empty() {
            struct_ser.serialize_field("code", &self.code)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for PairOffered {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "code",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Code,
            __SkipField__,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "code" => Ok(GeneratedField::Code),
                            _ => Ok(GeneratedField::__SkipField__),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = PairOffered;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct vyre.stream.v1.PairOffered")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<PairOffered, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut code__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Code => {
                            if code__.is_some() {
                                return Err(serde::de::Error::duplicate_field("code"));
                            }
                            code__ = Some(map_.next_value()?);
                        }
                        GeneratedField::__SkipField__ => {
                            let _ = map_.next_value::<serde::de::IgnoredAny>()?;
                        }
                    }
                }
                Ok(PairOffered {
                    code: code__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("vyre.stream.v1.PairOffered", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for ParticipantJoined {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.who.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("vyre.stream.v1.ParticipantJoined", len)?;
        if !self.who.is_empty() {
            struct_ser.serialize_field("who", &self.who)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for ParticipantJoined {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "who",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Who,
            __SkipField__,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "who" => Ok(GeneratedField::Who),
                            _ => Ok(GeneratedField::__SkipField__),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = ParticipantJoined;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct vyre.stream.v1.ParticipantJoined")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<ParticipantJoined, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut who__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Who => {
                            if who__.is_some() {
                                return Err(serde::de::Error::duplicate_field("who"));
                            }
                            who__ = Some(map_.next_value()?);
                        }
                        GeneratedField::__SkipField__ => {
                            let _ = map_.next_value::<serde::de::IgnoredAny>()?;
                        }
                    }
                }
                Ok(ParticipantJoined {
                    who: who__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("vyre.stream.v1.ParticipantJoined", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for ParticipantLeft {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.who.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("vyre.stream.v1.ParticipantLeft", len)?;
        if !self.who.is_empty() {
            struct_ser.serialize_field("who", &self.who)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for ParticipantLeft {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "who",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Who,
            __SkipField__,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "who" => Ok(GeneratedField::Who),
                            _ => Ok(GeneratedField::__SkipField__),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = ParticipantLeft;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct vyre.stream.v1.ParticipantLeft")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<ParticipantLeft, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut who__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Who => {
                            if who__.is_some() {
                                return Err(serde::de::Error::duplicate_field("who"));
                            }
                            who__ = Some(map_.next_value()?);
                        }
                        GeneratedField::__SkipField__ => {
                            let _ = map_.next_value::<serde::de::IgnoredAny>()?;
                        }
                    }
                }
                Ok(ParticipantLeft {
                    who: who__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("vyre.stream.v1.ParticipantLeft", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for Pin {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if self.on {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("vyre.stream.v1.Pin", len)?;
        if self.on {
            struct_ser.serialize_field("on", &self.on)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for Pin {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "on",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            On,
            __SkipField__,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "on" => Ok(GeneratedField::On),
                            _ => Ok(GeneratedField::__SkipField__),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = Pin;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct vyre.stream.v1.Pin")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<Pin, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut on__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::On => {
                            if on__.is_some() {
                                return Err(serde::de::Error::duplicate_field("on"));
                            }
                            on__ = Some(map_.next_value()?);
                        }
                        GeneratedField::__SkipField__ => {
                            let _ = map_.next_value::<serde::de::IgnoredAny>()?;
                        }
                    }
                }
                Ok(Pin {
                    on: on__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("vyre.stream.v1.Pin", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for Presence {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.who.is_empty() {
            len += 1;
        }
        if self.state != 0 {
            len += 1;
        }
        if !self.doing.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("vyre.stream.v1.Presence", len)?;
        if !self.who.is_empty() {
            struct_ser.serialize_field("who", &self.who)?;
        }
        if self.state != 0 {
            let v = PresenceState::try_from(self.state)
                .map_err(|_| serde::ser::Error::custom(format!("Invalid variant {}", self.state)))?;
            struct_ser.serialize_field("state", &v)?;
        }
        if !self.doing.is_empty() {
            struct_ser.serialize_field("doing", &self.doing)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for Presence {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "who",
            "state",
            "doing",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Who,
            State,
            Doing,
            __SkipField__,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "who" => Ok(GeneratedField::Who),
                            "state" => Ok(GeneratedField::State),
                            "doing" => Ok(GeneratedField::Doing),
                            _ => Ok(GeneratedField::__SkipField__),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = Presence;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct vyre.stream.v1.Presence")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<Presence, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut who__ = None;
                let mut state__ = None;
                let mut doing__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Who => {
                            if who__.is_some() {
                                return Err(serde::de::Error::duplicate_field("who"));
                            }
                            who__ = Some(map_.next_value()?);
                        }
                        GeneratedField::State => {
                            if state__.is_some() {
                                return Err(serde::de::Error::duplicate_field("state"));
                            }
                            state__ = Some(map_.next_value::<PresenceState>()? as i32);
                        }
                        GeneratedField::Doing => {
                            if doing__.is_some() {
                                return Err(serde::de::Error::duplicate_field("doing"));
                            }
                            doing__ = Some(map_.next_value()?);
                        }
                        GeneratedField::__SkipField__ => {
                            let _ = map_.next_value::<serde::de::IgnoredAny>()?;
                        }
                    }
                }
                Ok(Presence {
                    who: who__.unwrap_or_default(),
                    state: state__.unwrap_or_default(),
                    doing: doing__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("vyre.stream.v1.Presence", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for PresenceState {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        let variant = match self {
            Self::None => "PRESENCE_STATE_NONE",
            Self::Typing => "PRESENCE_STATE_TYPING",
            Self::Doing => "PRESENCE_STATE_DOING",
        };
        serializer.serialize_str(variant)
    }
}
impl<'de> serde::Deserialize<'de> for PresenceState {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "PRESENCE_STATE_NONE",
            "PRESENCE_STATE_TYPING",
            "PRESENCE_STATE_DOING",
        ];

        struct GeneratedVisitor;

        impl serde::de::Visitor<'_> for GeneratedVisitor {
            type Value = PresenceState;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(formatter, "expected one of: {:?}", &FIELDS)
            }

            fn visit_i64<E>(self, v: i64) -> std::result::Result<Self::Value, E>
            where
                E: serde::de::Error,
            {
                i32::try_from(v)
                    .ok()
                    .and_then(|x| x.try_into().ok())
                    .ok_or_else(|| {
                        serde::de::Error::invalid_value(serde::de::Unexpected::Signed(v), &self)
                    })
            }

            fn visit_u64<E>(self, v: u64) -> std::result::Result<Self::Value, E>
            where
                E: serde::de::Error,
            {
                i32::try_from(v)
                    .ok()
                    .and_then(|x| x.try_into().ok())
                    .ok_or_else(|| {
                        serde::de::Error::invalid_value(serde::de::Unexpected::Unsigned(v), &self)
                    })
            }

            fn visit_str<E>(self, value: &str) -> std::result::Result<Self::Value, E>
            where
                E: serde::de::Error,
            {
                match value {
                    "PRESENCE_STATE_NONE" => Ok(PresenceState::None),
                    "PRESENCE_STATE_TYPING" => Ok(PresenceState::Typing),
                    "PRESENCE_STATE_DOING" => Ok(PresenceState::Doing),
                    _ => Err(serde::de::Error::unknown_variant(value, FIELDS)),
                }
            }
        }
        deserializer.deserialize_any(GeneratedVisitor)
    }
}
impl serde::Serialize for Publish {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.events.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("vyre.stream.v1.Publish", len)?;
        if !self.events.is_empty() {
            struct_ser.serialize_field("events", &self.events)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for Publish {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "events",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Events,
            __SkipField__,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "events" => Ok(GeneratedField::Events),
                            _ => Ok(GeneratedField::__SkipField__),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = Publish;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct vyre.stream.v1.Publish")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<Publish, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut events__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Events => {
                            if events__.is_some() {
                                return Err(serde::de::Error::duplicate_field("events"));
                            }
                            events__ = Some(map_.next_value()?);
                        }
                        GeneratedField::__SkipField__ => {
                            let _ = map_.next_value::<serde::de::IgnoredAny>()?;
                        }
                    }
                }
                Ok(Publish {
                    events: events__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("vyre.stream.v1.Publish", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for Published {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if self.upto != 0 {
            len += 1;
        }
        if self.accepted != 0 {
            len += 1;
        }
        if self.duplicates != 0 {
            len += 1;
        }
        if !self.refused.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("vyre.stream.v1.Published", len)?;
        if self.upto != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("upto", ToString::to_string(&self.upto).as_str())?;
        }
        if self.accepted != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("accepted", ToString::to_string(&self.accepted).as_str())?;
        }
        if self.duplicates != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("duplicates", ToString::to_string(&self.duplicates).as_str())?;
        }
        if !self.refused.is_empty() {
            struct_ser.serialize_field("refused", &self.refused)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for Published {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "upto",
            "accepted",
            "duplicates",
            "refused",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Upto,
            Accepted,
            Duplicates,
            Refused,
            __SkipField__,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "upto" => Ok(GeneratedField::Upto),
                            "accepted" => Ok(GeneratedField::Accepted),
                            "duplicates" => Ok(GeneratedField::Duplicates),
                            "refused" => Ok(GeneratedField::Refused),
                            _ => Ok(GeneratedField::__SkipField__),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = Published;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct vyre.stream.v1.Published")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<Published, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut upto__ = None;
                let mut accepted__ = None;
                let mut duplicates__ = None;
                let mut refused__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Upto => {
                            if upto__.is_some() {
                                return Err(serde::de::Error::duplicate_field("upto"));
                            }
                            upto__ = 
                                Some(map_.next_value::<::pbjson::private::NumberDeserialize<_>>()?.0)
                            ;
                        }
                        GeneratedField::Accepted => {
                            if accepted__.is_some() {
                                return Err(serde::de::Error::duplicate_field("accepted"));
                            }
                            accepted__ = 
                                Some(map_.next_value::<::pbjson::private::NumberDeserialize<_>>()?.0)
                            ;
                        }
                        GeneratedField::Duplicates => {
                            if duplicates__.is_some() {
                                return Err(serde::de::Error::duplicate_field("duplicates"));
                            }
                            duplicates__ = 
                                Some(map_.next_value::<::pbjson::private::NumberDeserialize<_>>()?.0)
                            ;
                        }
                        GeneratedField::Refused => {
                            if refused__.is_some() {
                                return Err(serde::de::Error::duplicate_field("refused"));
                            }
                            refused__ = Some(map_.next_value()?);
                        }
                        GeneratedField::__SkipField__ => {
                            let _ = map_.next_value::<serde::de::IgnoredAny>()?;
                        }
                    }
                }
                Ok(Published {
                    upto: upto__.unwrap_or_default(),
                    accepted: accepted__.unwrap_or_default(),
                    duplicates: duplicates__.unwrap_or_default(),
                    refused: refused__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("vyre.stream.v1.Published", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for Publishing {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let len = 0;
        let struct_ser = serializer.serialize_struct("vyre.stream.v1.Publishing", len)?;
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for Publishing {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            __SkipField__,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                            Ok(GeneratedField::__SkipField__)
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = Publishing;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct vyre.stream.v1.Publishing")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<Publishing, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                while map_.next_key::<GeneratedField>()?.is_some() {
                    let _ = map_.next_value::<serde::de::IgnoredAny>()?;
                }
                Ok(Publishing {
                })
            }
        }
        deserializer.deserialize_struct("vyre.stream.v1.Publishing", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for Reaction {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.emoji.is_empty() {
            len += 1;
        }
        if self.on {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("vyre.stream.v1.Reaction", len)?;
        if !self.emoji.is_empty() {
            struct_ser.serialize_field("emoji", &self.emoji)?;
        }
        if self.on {
            struct_ser.serialize_field("on", &self.on)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for Reaction {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "emoji",
            "on",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Emoji,
            On,
            __SkipField__,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "emoji" => Ok(GeneratedField::Emoji),
                            "on" => Ok(GeneratedField::On),
                            _ => Ok(GeneratedField::__SkipField__),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = Reaction;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct vyre.stream.v1.Reaction")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<Reaction, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut emoji__ = None;
                let mut on__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Emoji => {
                            if emoji__.is_some() {
                                return Err(serde::de::Error::duplicate_field("emoji"));
                            }
                            emoji__ = Some(map_.next_value()?);
                        }
                        GeneratedField::On => {
                            if on__.is_some() {
                                return Err(serde::de::Error::duplicate_field("on"));
                            }
                            on__ = Some(map_.next_value()?);
                        }
                        GeneratedField::__SkipField__ => {
                            let _ = map_.next_value::<serde::de::IgnoredAny>()?;
                        }
                    }
                }
                Ok(Reaction {
                    emoji: emoji__.unwrap_or_default(),
                    on: on__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("vyre.stream.v1.Reaction", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for ReadMarker {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.upto.is_empty() {
            len += 1;
        }
        if self.cur != 0 {
            len += 1;
        }
        if !self.session.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("vyre.stream.v1.ReadMarker", len)?;
        if !self.upto.is_empty() {
            struct_ser.serialize_field("upto", &self.upto)?;
        }
        if self.cur != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("cur", ToString::to_string(&self.cur).as_str())?;
        }
        if !self.session.is_empty() {
            struct_ser.serialize_field("session", &self.session)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for ReadMarker {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "upto",
            "cur",
            "session",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Upto,
            Cur,
            Session,
            __SkipField__,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "upto" => Ok(GeneratedField::Upto),
                            "cur" => Ok(GeneratedField::Cur),
                            "session" => Ok(GeneratedField::Session),
                            _ => Ok(GeneratedField::__SkipField__),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = ReadMarker;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct vyre.stream.v1.ReadMarker")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<ReadMarker, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut upto__ = None;
                let mut cur__ = None;
                let mut session__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Upto => {
                            if upto__.is_some() {
                                return Err(serde::de::Error::duplicate_field("upto"));
                            }
                            upto__ = Some(map_.next_value()?);
                        }
                        GeneratedField::Cur => {
                            if cur__.is_some() {
                                return Err(serde::de::Error::duplicate_field("cur"));
                            }
                            cur__ = 
                                Some(map_.next_value::<::pbjson::private::NumberDeserialize<_>>()?.0)
                            ;
                        }
                        GeneratedField::Session => {
                            if session__.is_some() {
                                return Err(serde::de::Error::duplicate_field("session"));
                            }
                            session__ = Some(map_.next_value()?);
                        }
                        GeneratedField::__SkipField__ => {
                            let _ = map_.next_value::<serde::de::IgnoredAny>()?;
                        }
                    }
                }
                Ok(ReadMarker {
                    upto: upto__.unwrap_or_default(),
                    cur: cur__.unwrap_or_default(),
                    session: session__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("vyre.stream.v1.ReadMarker", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for RecordBlock {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.r#type.is_empty() {
            len += 1;
        }
        if !self.id.is_empty() {
            len += 1;
        }
        if !self.title.is_empty() {
            len += 1;
        }
        if !self.fields.is_empty() {
            len += 1;
        }
        if !self.read_roles.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("vyre.stream.v1.RecordBlock", len)?;
        if !self.r#type.is_empty() {
            struct_ser.serialize_field("type", &self.r#type)?;
        }
        if !self.id.is_empty() {
            struct_ser.serialize_field("id", &self.id)?;
        }
        if !self.title.is_empty() {
            struct_ser.serialize_field("title", &self.title)?;
        }
        if !self.fields.is_empty() {
            struct_ser.serialize_field("fields", &self.fields)?;
        }
        if !self.read_roles.is_empty() {
            struct_ser.serialize_field("readRoles", &self.read_roles)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for RecordBlock {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "type",
            "id",
            "title",
            "fields",
            "read_roles",
            "readRoles",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Type,
            Id,
            Title,
            Fields,
            ReadRoles,
            __SkipField__,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "type" => Ok(GeneratedField::Type),
                            "id" => Ok(GeneratedField::Id),
                            "title" => Ok(GeneratedField::Title),
                            "fields" => Ok(GeneratedField::Fields),
                            "readRoles" | "read_roles" => Ok(GeneratedField::ReadRoles),
                            _ => Ok(GeneratedField::__SkipField__),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = RecordBlock;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct vyre.stream.v1.RecordBlock")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<RecordBlock, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut r#type__ = None;
                let mut id__ = None;
                let mut title__ = None;
                let mut fields__ = None;
                let mut read_roles__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Type => {
                            if r#type__.is_some() {
                                return Err(serde::de::Error::duplicate_field("type"));
                            }
                            r#type__ = Some(map_.next_value()?);
                        }
                        GeneratedField::Id => {
                            if id__.is_some() {
                                return Err(serde::de::Error::duplicate_field("id"));
                            }
                            id__ = Some(map_.next_value()?);
                        }
                        GeneratedField::Title => {
                            if title__.is_some() {
                                return Err(serde::de::Error::duplicate_field("title"));
                            }
                            title__ = Some(map_.next_value()?);
                        }
                        GeneratedField::Fields => {
                            if fields__.is_some() {
                                return Err(serde::de::Error::duplicate_field("fields"));
                            }
                            fields__ = Some(map_.next_value()?);
                        }
                        GeneratedField::ReadRoles => {
                            if read_roles__.is_some() {
                                return Err(serde::de::Error::duplicate_field("readRoles"));
                            }
                            read_roles__ = Some(map_.next_value()?);
                        }
                        GeneratedField::__SkipField__ => {
                            let _ = map_.next_value::<serde::de::IgnoredAny>()?;
                        }
                    }
                }
                Ok(RecordBlock {
                    r#type: r#type__.unwrap_or_default(),
                    id: id__.unwrap_or_default(),
                    title: title__.unwrap_or_default(),
                    fields: fields__.unwrap_or_default(),
                    read_roles: read_roles__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("vyre.stream.v1.RecordBlock", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for Refused {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if self.index != 0 {
            len += 1;
        }
        if self.error.is_some() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("vyre.stream.v1.Refused", len)?;
        if self.index != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("index", ToString::to_string(&self.index).as_str())?;
        }
        if let Some(v) = self.error.as_ref() {
            struct_ser.serialize_field("error", v)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for Refused {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "index",
            "error",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Index,
            Error,
            __SkipField__,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "index" => Ok(GeneratedField::Index),
                            "error" => Ok(GeneratedField::Error),
                            _ => Ok(GeneratedField::__SkipField__),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = Refused;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct vyre.stream.v1.Refused")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<Refused, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut index__ = None;
                let mut error__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Index => {
                            if index__.is_some() {
                                return Err(serde::de::Error::duplicate_field("index"));
                            }
                            index__ = 
                                Some(map_.next_value::<::pbjson::private::NumberDeserialize<_>>()?.0)
                            ;
                        }
                        GeneratedField::Error => {
                            if error__.is_some() {
                                return Err(serde::de::Error::duplicate_field("error"));
                            }
                            error__ = map_.next_value()?;
                        }
                        GeneratedField::__SkipField__ => {
                            let _ = map_.next_value::<serde::de::IgnoredAny>()?;
                        }
                    }
                }
                Ok(Refused {
                    index: index__.unwrap_or_default(),
                    error: error__,
                })
            }
        }
        deserializer.deserialize_struct("vyre.stream.v1.Refused", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for Reset {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if self.reason != 0 {
            len += 1;
        }
        if !self.log.is_empty() {
            len += 1;
        }
        if self.view != 0 {
            len += 1;
        }
        if self.floor != 0 {
            len += 1;
        }
        if self.head != 0 {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("vyre.stream.v1.Reset", len)?;
        if self.reason != 0 {
            let v = ResetReason::try_from(self.reason)
                .map_err(|_| serde::ser::Error::custom(format!("Invalid variant {}", self.reason)))?;
            struct_ser.serialize_field("reason", &v)?;
        }
        if !self.log.is_empty() {
            struct_ser.serialize_field("log", &self.log)?;
        }
        if self.view != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("view", ToString::to_string(&self.view).as_str())?;
        }
        if self.floor != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("floor", ToString::to_string(&self.floor).as_str())?;
        }
        if self.head != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("head", ToString::to_string(&self.head).as_str())?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for Reset {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "reason",
            "log",
            "view",
            "floor",
            "head",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Reason,
            Log,
            View,
            Floor,
            Head,
            __SkipField__,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "reason" => Ok(GeneratedField::Reason),
                            "log" => Ok(GeneratedField::Log),
                            "view" => Ok(GeneratedField::View),
                            "floor" => Ok(GeneratedField::Floor),
                            "head" => Ok(GeneratedField::Head),
                            _ => Ok(GeneratedField::__SkipField__),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = Reset;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct vyre.stream.v1.Reset")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<Reset, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut reason__ = None;
                let mut log__ = None;
                let mut view__ = None;
                let mut floor__ = None;
                let mut head__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Reason => {
                            if reason__.is_some() {
                                return Err(serde::de::Error::duplicate_field("reason"));
                            }
                            reason__ = Some(map_.next_value::<ResetReason>()? as i32);
                        }
                        GeneratedField::Log => {
                            if log__.is_some() {
                                return Err(serde::de::Error::duplicate_field("log"));
                            }
                            log__ = Some(map_.next_value()?);
                        }
                        GeneratedField::View => {
                            if view__.is_some() {
                                return Err(serde::de::Error::duplicate_field("view"));
                            }
                            view__ = 
                                Some(map_.next_value::<::pbjson::private::NumberDeserialize<_>>()?.0)
                            ;
                        }
                        GeneratedField::Floor => {
                            if floor__.is_some() {
                                return Err(serde::de::Error::duplicate_field("floor"));
                            }
                            floor__ = 
                                Some(map_.next_value::<::pbjson::private::NumberDeserialize<_>>()?.0)
                            ;
                        }
                        GeneratedField::Head => {
                            if head__.is_some() {
                                return Err(serde::de::Error::duplicate_field("head"));
                            }
                            head__ = 
                                Some(map_.next_value::<::pbjson::private::NumberDeserialize<_>>()?.0)
                            ;
                        }
                        GeneratedField::__SkipField__ => {
                            let _ = map_.next_value::<serde::de::IgnoredAny>()?;
                        }
                    }
                }
                Ok(Reset {
                    reason: reason__.unwrap_or_default(),
                    log: log__.unwrap_or_default(),
                    view: view__.unwrap_or_default(),
                    floor: floor__.unwrap_or_default(),
                    head: head__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("vyre.stream.v1.Reset", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for ResetReason {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        let variant = match self {
            Self::Unknown => "RESET_REASON_UNKNOWN",
            Self::BehindFloor => "RESET_REASON_BEHIND_FLOOR",
            Self::AheadOfHead => "RESET_REASON_AHEAD_OF_HEAD",
            Self::OtherLog => "RESET_REASON_OTHER_LOG",
            Self::ViewChanged => "RESET_REASON_VIEW_CHANGED",
            Self::Damage => "RESET_REASON_DAMAGE",
        };
        serializer.serialize_str(variant)
    }
}
impl<'de> serde::Deserialize<'de> for ResetReason {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "RESET_REASON_UNKNOWN",
            "RESET_REASON_BEHIND_FLOOR",
            "RESET_REASON_AHEAD_OF_HEAD",
            "RESET_REASON_OTHER_LOG",
            "RESET_REASON_VIEW_CHANGED",
            "RESET_REASON_DAMAGE",
        ];

        struct GeneratedVisitor;

        impl serde::de::Visitor<'_> for GeneratedVisitor {
            type Value = ResetReason;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(formatter, "expected one of: {:?}", &FIELDS)
            }

            fn visit_i64<E>(self, v: i64) -> std::result::Result<Self::Value, E>
            where
                E: serde::de::Error,
            {
                i32::try_from(v)
                    .ok()
                    .and_then(|x| x.try_into().ok())
                    .ok_or_else(|| {
                        serde::de::Error::invalid_value(serde::de::Unexpected::Signed(v), &self)
                    })
            }

            fn visit_u64<E>(self, v: u64) -> std::result::Result<Self::Value, E>
            where
                E: serde::de::Error,
            {
                i32::try_from(v)
                    .ok()
                    .and_then(|x| x.try_into().ok())
                    .ok_or_else(|| {
                        serde::de::Error::invalid_value(serde::de::Unexpected::Unsigned(v), &self)
                    })
            }

            fn visit_str<E>(self, value: &str) -> std::result::Result<Self::Value, E>
            where
                E: serde::de::Error,
            {
                match value {
                    "RESET_REASON_UNKNOWN" => Ok(ResetReason::Unknown),
                    "RESET_REASON_BEHIND_FLOOR" => Ok(ResetReason::BehindFloor),
                    "RESET_REASON_AHEAD_OF_HEAD" => Ok(ResetReason::AheadOfHead),
                    "RESET_REASON_OTHER_LOG" => Ok(ResetReason::OtherLog),
                    "RESET_REASON_VIEW_CHANGED" => Ok(ResetReason::ViewChanged),
                    "RESET_REASON_DAMAGE" => Ok(ResetReason::Damage),
                    _ => Err(serde::de::Error::unknown_variant(value, FIELDS)),
                }
            }
        }
        deserializer.deserialize_any(GeneratedVisitor)
    }
}
impl serde::Serialize for Rewound {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.to.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("vyre.stream.v1.Rewound", len)?;
        if !self.to.is_empty() {
            struct_ser.serialize_field("to", &self.to)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for Rewound {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "to",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            To,
            __SkipField__,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "to" => Ok(GeneratedField::To),
                            _ => Ok(GeneratedField::__SkipField__),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = Rewound;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct vyre.stream.v1.Rewound")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<Rewound, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut to__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::To => {
                            if to__.is_some() {
                                return Err(serde::de::Error::duplicate_field("to"));
                            }
                            to__ = Some(map_.next_value()?);
                        }
                        GeneratedField::__SkipField__ => {
                            let _ = map_.next_value::<serde::de::IgnoredAny>()?;
                        }
                    }
                }
                Ok(Rewound {
                    to: to__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("vyre.stream.v1.Rewound", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for RoomAssigned {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.assistant.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("vyre.stream.v1.RoomAssigned", len)?;
        if !self.assistant.is_empty() {
            struct_ser.serialize_field("assistant", &self.assistant)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for RoomAssigned {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "assistant",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Assistant,
            __SkipField__,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "assistant" => Ok(GeneratedField::Assistant),
                            _ => Ok(GeneratedField::__SkipField__),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = RoomAssigned;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct vyre.stream.v1.RoomAssigned")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<RoomAssigned, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut assistant__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Assistant => {
                            if assistant__.is_some() {
                                return Err(serde::de::Error::duplicate_field("assistant"));
                            }
                            assistant__ = Some(map_.next_value()?);
                        }
                        GeneratedField::__SkipField__ => {
                            let _ = map_.next_value::<serde::de::IgnoredAny>()?;
                        }
                    }
                }
                Ok(RoomAssigned {
                    assistant: assistant__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("vyre.stream.v1.RoomAssigned", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for RoomFanout {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.group.is_empty() {
            len += 1;
        }
        if !self.message.is_empty() {
            len += 1;
        }
        if !self.members.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("vyre.stream.v1.RoomFanout", len)?;
        if !self.group.is_empty() {
            struct_ser.serialize_field("group", &self.group)?;
        }
        if !self.message.is_empty() {
            struct_ser.serialize_field("message", &self.message)?;
        }
        if !self.members.is_empty() {
            struct_ser.serialize_field("members", &self.members)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for RoomFanout {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "group",
            "message",
            "members",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Group,
            Message,
            Members,
            __SkipField__,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "group" => Ok(GeneratedField::Group),
                            "message" => Ok(GeneratedField::Message),
                            "members" => Ok(GeneratedField::Members),
                            _ => Ok(GeneratedField::__SkipField__),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = RoomFanout;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct vyre.stream.v1.RoomFanout")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<RoomFanout, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut group__ = None;
                let mut message__ = None;
                let mut members__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Group => {
                            if group__.is_some() {
                                return Err(serde::de::Error::duplicate_field("group"));
                            }
                            group__ = Some(map_.next_value()?);
                        }
                        GeneratedField::Message => {
                            if message__.is_some() {
                                return Err(serde::de::Error::duplicate_field("message"));
                            }
                            message__ = Some(map_.next_value()?);
                        }
                        GeneratedField::Members => {
                            if members__.is_some() {
                                return Err(serde::de::Error::duplicate_field("members"));
                            }
                            members__ = Some(map_.next_value()?);
                        }
                        GeneratedField::__SkipField__ => {
                            let _ = map_.next_value::<serde::de::IgnoredAny>()?;
                        }
                    }
                }
                Ok(RoomFanout {
                    group: group__.unwrap_or_default(),
                    message: message__.unwrap_or_default(),
                    members: members__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("vyre.stream.v1.RoomFanout", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for RoomFanoutKeep {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.group.is_empty() {
            len += 1;
        }
        if !self.keep.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("vyre.stream.v1.RoomFanoutKeep", len)?;
        if !self.group.is_empty() {
            struct_ser.serialize_field("group", &self.group)?;
        }
        if !self.keep.is_empty() {
            struct_ser.serialize_field("keep", &self.keep)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for RoomFanoutKeep {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "group",
            "keep",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Group,
            Keep,
            __SkipField__,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "group" => Ok(GeneratedField::Group),
                            "keep" => Ok(GeneratedField::Keep),
                            _ => Ok(GeneratedField::__SkipField__),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = RoomFanoutKeep;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct vyre.stream.v1.RoomFanoutKeep")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<RoomFanoutKeep, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut group__ = None;
                let mut keep__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Group => {
                            if group__.is_some() {
                                return Err(serde::de::Error::duplicate_field("group"));
                            }
                            group__ = Some(map_.next_value()?);
                        }
                        GeneratedField::Keep => {
                            if keep__.is_some() {
                                return Err(serde::de::Error::duplicate_field("keep"));
                            }
                            keep__ = Some(map_.next_value()?);
                        }
                        GeneratedField::__SkipField__ => {
                            let _ = map_.next_value::<serde::de::IgnoredAny>()?;
                        }
                    }
                }
                Ok(RoomFanoutKeep {
                    group: group__.unwrap_or_default(),
                    keep: keep__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("vyre.stream.v1.RoomFanoutKeep", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for RoomJoined {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.who.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("vyre.stream.v1.RoomJoined", len)?;
        if !self.who.is_empty() {
            struct_ser.serialize_field("who", &self.who)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for RoomJoined {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "who",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Who,
            __SkipField__,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "who" => Ok(GeneratedField::Who),
                            _ => Ok(GeneratedField::__SkipField__),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = RoomJoined;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct vyre.stream.v1.RoomJoined")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<RoomJoined, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut who__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Who => {
                            if who__.is_some() {
                                return Err(serde::de::Error::duplicate_field("who"));
                            }
                            who__ = Some(map_.next_value()?);
                        }
                        GeneratedField::__SkipField__ => {
                            let _ = map_.next_value::<serde::de::IgnoredAny>()?;
                        }
                    }
                }
                Ok(RoomJoined {
                    who: who__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("vyre.stream.v1.RoomJoined", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for RoomLeft {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.who.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("vyre.stream.v1.RoomLeft", len)?;
        if !self.who.is_empty() {
            struct_ser.serialize_field("who", &self.who)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for RoomLeft {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "who",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Who,
            __SkipField__,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "who" => Ok(GeneratedField::Who),
                            _ => Ok(GeneratedField::__SkipField__),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = RoomLeft;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct vyre.stream.v1.RoomLeft")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<RoomLeft, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut who__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Who => {
                            if who__.is_some() {
                                return Err(serde::de::Error::duplicate_field("who"));
                            }
                            who__ = Some(map_.next_value()?);
                        }
                        GeneratedField::__SkipField__ => {
                            let _ = map_.next_value::<serde::de::IgnoredAny>()?;
                        }
                    }
                }
                Ok(RoomLeft {
                    who: who__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("vyre.stream.v1.RoomLeft", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for RoomMention {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.message.is_empty() {
            len += 1;
        }
        if !self.who.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("vyre.stream.v1.RoomMention", len)?;
        if !self.message.is_empty() {
            struct_ser.serialize_field("message", &self.message)?;
        }
        if !self.who.is_empty() {
            struct_ser.serialize_field("who", &self.who)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for RoomMention {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "message",
            "who",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Message,
            Who,
            __SkipField__,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "message" => Ok(GeneratedField::Message),
                            "who" => Ok(GeneratedField::Who),
                            _ => Ok(GeneratedField::__SkipField__),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = RoomMention;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct vyre.stream.v1.RoomMention")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<RoomMention, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut message__ = None;
                let mut who__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Message => {
                            if message__.is_some() {
                                return Err(serde::de::Error::duplicate_field("message"));
                            }
                            message__ = Some(map_.next_value()?);
                        }
                        GeneratedField::Who => {
                            if who__.is_some() {
                                return Err(serde::de::Error::duplicate_field("who"));
                            }
                            who__ = Some(map_.next_value()?);
                        }
                        GeneratedField::__SkipField__ => {
                            let _ = map_.next_value::<serde::de::IgnoredAny>()?;
                        }
                    }
                }
                Ok(RoomMention {
                    message: message__.unwrap_or_default(),
                    who: who__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("vyre.stream.v1.RoomMention", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for RoomPin {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.message.is_empty() {
            len += 1;
        }
        if self.on {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("vyre.stream.v1.RoomPin", len)?;
        if !self.message.is_empty() {
            struct_ser.serialize_field("message", &self.message)?;
        }
        if self.on {
            struct_ser.serialize_field("on", &self.on)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for RoomPin {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "message",
            "on",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Message,
            On,
            __SkipField__,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "message" => Ok(GeneratedField::Message),
                            "on" => Ok(GeneratedField::On),
                            _ => Ok(GeneratedField::__SkipField__),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = RoomPin;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct vyre.stream.v1.RoomPin")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<RoomPin, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut message__ = None;
                let mut on__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Message => {
                            if message__.is_some() {
                                return Err(serde::de::Error::duplicate_field("message"));
                            }
                            message__ = Some(map_.next_value()?);
                        }
                        GeneratedField::On => {
                            if on__.is_some() {
                                return Err(serde::de::Error::duplicate_field("on"));
                            }
                            on__ = Some(map_.next_value()?);
                        }
                        GeneratedField::__SkipField__ => {
                            let _ = map_.next_value::<serde::de::IgnoredAny>()?;
                        }
                    }
                }
                Ok(RoomPin {
                    message: message__.unwrap_or_default(),
                    on: on__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("vyre.stream.v1.RoomPin", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for RoomReaction {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.message.is_empty() {
            len += 1;
        }
        if !self.emoji.is_empty() {
            len += 1;
        }
        if self.on {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("vyre.stream.v1.RoomReaction", len)?;
        if !self.message.is_empty() {
            struct_ser.serialize_field("message", &self.message)?;
        }
        if !self.emoji.is_empty() {
            struct_ser.serialize_field("emoji", &self.emoji)?;
        }
        if self.on {
            struct_ser.serialize_field("on", &self.on)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for RoomReaction {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "message",
            "emoji",
            "on",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Message,
            Emoji,
            On,
            __SkipField__,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "message" => Ok(GeneratedField::Message),
                            "emoji" => Ok(GeneratedField::Emoji),
                            "on" => Ok(GeneratedField::On),
                            _ => Ok(GeneratedField::__SkipField__),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = RoomReaction;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct vyre.stream.v1.RoomReaction")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<RoomReaction, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut message__ = None;
                let mut emoji__ = None;
                let mut on__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Message => {
                            if message__.is_some() {
                                return Err(serde::de::Error::duplicate_field("message"));
                            }
                            message__ = Some(map_.next_value()?);
                        }
                        GeneratedField::Emoji => {
                            if emoji__.is_some() {
                                return Err(serde::de::Error::duplicate_field("emoji"));
                            }
                            emoji__ = Some(map_.next_value()?);
                        }
                        GeneratedField::On => {
                            if on__.is_some() {
                                return Err(serde::de::Error::duplicate_field("on"));
                            }
                            on__ = Some(map_.next_value()?);
                        }
                        GeneratedField::__SkipField__ => {
                            let _ = map_.next_value::<serde::de::IgnoredAny>()?;
                        }
                    }
                }
                Ok(RoomReaction {
                    message: message__.unwrap_or_default(),
                    emoji: emoji__.unwrap_or_default(),
                    on: on__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("vyre.stream.v1.RoomReaction", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for ScreenBlock {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.title.is_empty() {
            len += 1;
        }
        if !self.media_type.is_empty() {
            len += 1;
        }
        if self.width != 0 {
            len += 1;
        }
        if self.height != 0 {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("vyre.stream.v1.ScreenBlock", len)?;
        if !self.title.is_empty() {
            struct_ser.serialize_field("title", &self.title)?;
        }
        if !self.media_type.is_empty() {
            struct_ser.serialize_field("mediaType", &self.media_type)?;
        }
        if self.width != 0 {
            struct_ser.serialize_field("width", &self.width)?;
        }
        if self.height != 0 {
            struct_ser.serialize_field("height", &self.height)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for ScreenBlock {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "title",
            "media_type",
            "mediaType",
            "width",
            "height",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Title,
            MediaType,
            Width,
            Height,
            __SkipField__,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "title" => Ok(GeneratedField::Title),
                            "mediaType" | "media_type" => Ok(GeneratedField::MediaType),
                            "width" => Ok(GeneratedField::Width),
                            "height" => Ok(GeneratedField::Height),
                            _ => Ok(GeneratedField::__SkipField__),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = ScreenBlock;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct vyre.stream.v1.ScreenBlock")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<ScreenBlock, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut title__ = None;
                let mut media_type__ = None;
                let mut width__ = None;
                let mut height__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Title => {
                            if title__.is_some() {
                                return Err(serde::de::Error::duplicate_field("title"));
                            }
                            title__ = Some(map_.next_value()?);
                        }
                        GeneratedField::MediaType => {
                            if media_type__.is_some() {
                                return Err(serde::de::Error::duplicate_field("mediaType"));
                            }
                            media_type__ = Some(map_.next_value()?);
                        }
                        GeneratedField::Width => {
                            if width__.is_some() {
                                return Err(serde::de::Error::duplicate_field("width"));
                            }
                            width__ = 
                                Some(map_.next_value::<::pbjson::private::NumberDeserialize<_>>()?.0)
                            ;
                        }
                        GeneratedField::Height => {
                            if height__.is_some() {
                                return Err(serde::de::Error::duplicate_field("height"));
                            }
                            height__ = 
                                Some(map_.next_value::<::pbjson::private::NumberDeserialize<_>>()?.0)
                            ;
                        }
                        GeneratedField::__SkipField__ => {
                            let _ = map_.next_value::<serde::de::IgnoredAny>()?;
                        }
                    }
                }
                Ok(ScreenBlock {
                    title: title__.unwrap_or_default(),
                    media_type: media_type__.unwrap_or_default(),
                    width: width__.unwrap_or_default(),
                    height: height__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("vyre.stream.v1.ScreenBlock", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for Sealed {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.sealed.is_empty() {
            len += 1;
        }
        if self.present {
            len += 1;
        }
        if self.valid_format {
            len += 1;
        }
        if self.can_reveal {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("vyre.stream.v1.Sealed", len)?;
        if !self.sealed.is_empty() {
            struct_ser.serialize_field("sealed", &self.sealed)?;
        }
        if self.present {
            struct_ser.serialize_field("present", &self.present)?;
        }
        if self.valid_format {
            struct_ser.serialize_field("validFormat", &self.valid_format)?;
        }
        if self.can_reveal {
            struct_ser.serialize_field("canReveal", &self.can_reveal)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for Sealed {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "sealed",
            "present",
            "valid_format",
            "validFormat",
            "can_reveal",
            "canReveal",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Sealed,
            Present,
            ValidFormat,
            CanReveal,
            __SkipField__,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "sealed" => Ok(GeneratedField::Sealed),
                            "present" => Ok(GeneratedField::Present),
                            "validFormat" | "valid_format" => Ok(GeneratedField::ValidFormat),
                            "canReveal" | "can_reveal" => Ok(GeneratedField::CanReveal),
                            _ => Ok(GeneratedField::__SkipField__),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = Sealed;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct vyre.stream.v1.Sealed")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<Sealed, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut sealed__ = None;
                let mut present__ = None;
                let mut valid_format__ = None;
                let mut can_reveal__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Sealed => {
                            if sealed__.is_some() {
                                return Err(serde::de::Error::duplicate_field("sealed"));
                            }
                            sealed__ = Some(map_.next_value()?);
                        }
                        GeneratedField::Present => {
                            if present__.is_some() {
                                return Err(serde::de::Error::duplicate_field("present"));
                            }
                            present__ = Some(map_.next_value()?);
                        }
                        GeneratedField::ValidFormat => {
                            if valid_format__.is_some() {
                                return Err(serde::de::Error::duplicate_field("validFormat"));
                            }
                            valid_format__ = Some(map_.next_value()?);
                        }
                        GeneratedField::CanReveal => {
                            if can_reveal__.is_some() {
                                return Err(serde::de::Error::duplicate_field("canReveal"));
                            }
                            can_reveal__ = Some(map_.next_value()?);
                        }
                        GeneratedField::__SkipField__ => {
                            let _ = map_.next_value::<serde::de::IgnoredAny>()?;
                        }
                    }
                }
                Ok(Sealed {
                    sealed: sealed__.unwrap_or_default(),
                    present: present__.unwrap_or_default(),
                    valid_format: valid_format__.unwrap_or_default(),
                    can_reveal: can_reveal__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("vyre.stream.v1.Sealed", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for SessionHead {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.session.is_empty() {
            len += 1;
        }
        if self.head != 0 {
            len += 1;
        }
        if self.unread != 0 {
            len += 1;
        }
        if !self.title.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("vyre.stream.v1.SessionHead", len)?;
        if !self.session.is_empty() {
            struct_ser.serialize_field("session", &self.session)?;
        }
        if self.head != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("head", ToString::to_string(&self.head).as_str())?;
        }
        if self.unread != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("unread", ToString::to_string(&self.unread).as_str())?;
        }
        if !self.title.is_empty() {
            struct_ser.serialize_field("title", &self.title)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for SessionHead {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "session",
            "head",
            "unread",
            "title",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Session,
            Head,
            Unread,
            Title,
            __SkipField__,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "session" => Ok(GeneratedField::Session),
                            "head" => Ok(GeneratedField::Head),
                            "unread" => Ok(GeneratedField::Unread),
                            "title" => Ok(GeneratedField::Title),
                            _ => Ok(GeneratedField::__SkipField__),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = SessionHead;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct vyre.stream.v1.SessionHead")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<SessionHead, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut session__ = None;
                let mut head__ = None;
                let mut unread__ = None;
                let mut title__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Session => {
                            if session__.is_some() {
                                return Err(serde::de::Error::duplicate_field("session"));
                            }
                            session__ = Some(map_.next_value()?);
                        }
                        GeneratedField::Head => {
                            if head__.is_some() {
                                return Err(serde::de::Error::duplicate_field("head"));
                            }
                            head__ = 
                                Some(map_.next_value::<::pbjson::private::NumberDeserialize<_>>()?.0)
                            ;
                        }
                        GeneratedField::Unread => {
                            if unread__.is_some() {
                                return Err(serde::de::Error::duplicate_field("unread"));
                            }
                            unread__ = 
                                Some(map_.next_value::<::pbjson::private::NumberDeserialize<_>>()?.0)
                            ;
                        }
                        GeneratedField::Title => {
                            if title__.is_some() {
                                return Err(serde::de::Error::duplicate_field("title"));
                            }
                            title__ = Some(map_.next_value()?);
                        }
                        GeneratedField::__SkipField__ => {
                            let _ = map_.next_value::<serde::de::IgnoredAny>()?;
                        }
                    }
                }
                Ok(SessionHead {
                    session: session__.unwrap_or_default(),
                    head: head__.unwrap_or_default(),
                    unread: unread__.unwrap_or_default(),
                    title: title__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("vyre.stream.v1.SessionHead", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for SessionInfo {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.session.is_empty() {
            len += 1;
        }
        if !self.title.is_empty() {
            len += 1;
        }
        if !self.folder.is_empty() {
            len += 1;
        }
        if self.head != 0 {
            len += 1;
        }
        if self.floor != 0 {
            len += 1;
        }
        if !self.log.is_empty() {
            len += 1;
        }
        if !self.participants.is_empty() {
            len += 1;
        }
        if self.changed != 0 {
            len += 1;
        }
        if self.group {
            len += 1;
        }
        if !self.assistant.is_empty() {
            len += 1;
        }
        if self.unread != 0 {
            len += 1;
        }
        if !self.read_upto.is_empty() {
            len += 1;
        }
        if self.read_cur != 0 {
            len += 1;
        }
        if !self.assigned.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("vyre.stream.v1.SessionInfo", len)?;
        if !self.session.is_empty() {
            struct_ser.serialize_field("session", &self.session)?;
        }
        if !self.title.is_empty() {
            struct_ser.serialize_field("title", &self.title)?;
        }
        if !self.folder.is_empty() {
            struct_ser.serialize_field("folder", &self.folder)?;
        }
        if self.head != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("head", ToString::to_string(&self.head).as_str())?;
        }
        if self.floor != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("floor", ToString::to_string(&self.floor).as_str())?;
        }
        if !self.log.is_empty() {
            struct_ser.serialize_field("log", &self.log)?;
        }
        if !self.participants.is_empty() {
            struct_ser.serialize_field("participants", &self.participants)?;
        }
        if self.changed != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("changed", ToString::to_string(&self.changed).as_str())?;
        }
        if self.group {
            struct_ser.serialize_field("group", &self.group)?;
        }
        if !self.assistant.is_empty() {
            struct_ser.serialize_field("assistant", &self.assistant)?;
        }
        if self.unread != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("unread", ToString::to_string(&self.unread).as_str())?;
        }
        if !self.read_upto.is_empty() {
            struct_ser.serialize_field("readUpto", &self.read_upto)?;
        }
        if self.read_cur != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("readCur", ToString::to_string(&self.read_cur).as_str())?;
        }
        if !self.assigned.is_empty() {
            struct_ser.serialize_field("assigned", &self.assigned)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for SessionInfo {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "session",
            "title",
            "folder",
            "head",
            "floor",
            "log",
            "participants",
            "changed",
            "group",
            "assistant",
            "unread",
            "read_upto",
            "readUpto",
            "read_cur",
            "readCur",
            "assigned",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Session,
            Title,
            Folder,
            Head,
            Floor,
            Log,
            Participants,
            Changed,
            Group,
            Assistant,
            Unread,
            ReadUpto,
            ReadCur,
            Assigned,
            __SkipField__,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "session" => Ok(GeneratedField::Session),
                            "title" => Ok(GeneratedField::Title),
                            "folder" => Ok(GeneratedField::Folder),
                            "head" => Ok(GeneratedField::Head),
                            "floor" => Ok(GeneratedField::Floor),
                            "log" => Ok(GeneratedField::Log),
                            "participants" => Ok(GeneratedField::Participants),
                            "changed" => Ok(GeneratedField::Changed),
                            "group" => Ok(GeneratedField::Group),
                            "assistant" => Ok(GeneratedField::Assistant),
                            "unread" => Ok(GeneratedField::Unread),
                            "readUpto" | "read_upto" => Ok(GeneratedField::ReadUpto),
                            "readCur" | "read_cur" => Ok(GeneratedField::ReadCur),
                            "assigned" => Ok(GeneratedField::Assigned),
                            _ => Ok(GeneratedField::__SkipField__),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = SessionInfo;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct vyre.stream.v1.SessionInfo")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<SessionInfo, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut session__ = None;
                let mut title__ = None;
                let mut folder__ = None;
                let mut head__ = None;
                let mut floor__ = None;
                let mut log__ = None;
                let mut participants__ = None;
                let mut changed__ = None;
                let mut group__ = None;
                let mut assistant__ = None;
                let mut unread__ = None;
                let mut read_upto__ = None;
                let mut read_cur__ = None;
                let mut assigned__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Session => {
                            if session__.is_some() {
                                return Err(serde::de::Error::duplicate_field("session"));
                            }
                            session__ = Some(map_.next_value()?);
                        }
                        GeneratedField::Title => {
                            if title__.is_some() {
                                return Err(serde::de::Error::duplicate_field("title"));
                            }
                            title__ = Some(map_.next_value()?);
                        }
                        GeneratedField::Folder => {
                            if folder__.is_some() {
                                return Err(serde::de::Error::duplicate_field("folder"));
                            }
                            folder__ = Some(map_.next_value()?);
                        }
                        GeneratedField::Head => {
                            if head__.is_some() {
                                return Err(serde::de::Error::duplicate_field("head"));
                            }
                            head__ = 
                                Some(map_.next_value::<::pbjson::private::NumberDeserialize<_>>()?.0)
                            ;
                        }
                        GeneratedField::Floor => {
                            if floor__.is_some() {
                                return Err(serde::de::Error::duplicate_field("floor"));
                            }
                            floor__ = 
                                Some(map_.next_value::<::pbjson::private::NumberDeserialize<_>>()?.0)
                            ;
                        }
                        GeneratedField::Log => {
                            if log__.is_some() {
                                return Err(serde::de::Error::duplicate_field("log"));
                            }
                            log__ = Some(map_.next_value()?);
                        }
                        GeneratedField::Participants => {
                            if participants__.is_some() {
                                return Err(serde::de::Error::duplicate_field("participants"));
                            }
                            participants__ = Some(map_.next_value()?);
                        }
                        GeneratedField::Changed => {
                            if changed__.is_some() {
                                return Err(serde::de::Error::duplicate_field("changed"));
                            }
                            changed__ = 
                                Some(map_.next_value::<::pbjson::private::NumberDeserialize<_>>()?.0)
                            ;
                        }
                        GeneratedField::Group => {
                            if group__.is_some() {
                                return Err(serde::de::Error::duplicate_field("group"));
                            }
                            group__ = Some(map_.next_value()?);
                        }
                        GeneratedField::Assistant => {
                            if assistant__.is_some() {
                                return Err(serde::de::Error::duplicate_field("assistant"));
                            }
                            assistant__ = Some(map_.next_value()?);
                        }
                        GeneratedField::Unread => {
                            if unread__.is_some() {
                                return Err(serde::de::Error::duplicate_field("unread"));
                            }
                            unread__ = 
                                Some(map_.next_value::<::pbjson::private::NumberDeserialize<_>>()?.0)
                            ;
                        }
                        GeneratedField::ReadUpto => {
                            if read_upto__.is_some() {
                                return Err(serde::de::Error::duplicate_field("readUpto"));
                            }
                            read_upto__ = Some(map_.next_value()?);
                        }
                        GeneratedField::ReadCur => {
                            if read_cur__.is_some() {
                                return Err(serde::de::Error::duplicate_field("readCur"));
                            }
                            read_cur__ = 
                                Some(map_.next_value::<::pbjson::private::NumberDeserialize<_>>()?.0)
                            ;
                        }
                        GeneratedField::Assigned => {
                            if assigned__.is_some() {
                                return Err(serde::de::Error::duplicate_field("assigned"));
                            }
                            assigned__ = Some(map_.next_value()?);
                        }
                        GeneratedField::__SkipField__ => {
                            let _ = map_.next_value::<serde::de::IgnoredAny>()?;
                        }
                    }
                }
                Ok(SessionInfo {
                    session: session__.unwrap_or_default(),
                    title: title__.unwrap_or_default(),
                    folder: folder__.unwrap_or_default(),
                    head: head__.unwrap_or_default(),
                    floor: floor__.unwrap_or_default(),
                    log: log__.unwrap_or_default(),
                    participants: participants__.unwrap_or_default(),
                    changed: changed__.unwrap_or_default(),
                    group: group__.unwrap_or_default(),
                    assistant: assistant__.unwrap_or_default(),
                    unread: unread__.unwrap_or_default(),
                    read_upto: read_upto__.unwrap_or_default(),
                    read_cur: read_cur__.unwrap_or_default(),
                    assigned: assigned__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("vyre.stream.v1.SessionInfo", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for SessionsAnswer {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if self.session.is_some() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("vyre.stream.v1.SessionsAnswer", len)?;
        if let Some(v) = self.session.as_ref() {
            struct_ser.serialize_field("session", v)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for SessionsAnswer {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "session",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Session,
            __SkipField__,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "session" => Ok(GeneratedField::Session),
                            _ => Ok(GeneratedField::__SkipField__),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = SessionsAnswer;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct vyre.stream.v1.SessionsAnswer")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<SessionsAnswer, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut session__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Session => {
                            if session__.is_some() {
                                return Err(serde::de::Error::duplicate_field("session"));
                            }
                            session__ = map_.next_value()?;
                        }
                        GeneratedField::__SkipField__ => {
                            let _ = map_.next_value::<serde::de::IgnoredAny>()?;
                        }
                    }
                }
                Ok(SessionsAnswer {
                    session: session__,
                })
            }
        }
        deserializer.deserialize_struct("vyre.stream.v1.SessionsAnswer", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for SessionsAssign {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.session.is_empty() {
            len += 1;
        }
        if !self.assistant.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("vyre.stream.v1.SessionsAssign", len)?;
        if !self.session.is_empty() {
            struct_ser.serialize_field("session", &self.session)?;
        }
        if !self.assistant.is_empty() {
            struct_ser.serialize_field("assistant", &self.assistant)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for SessionsAssign {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "session",
            "assistant",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Session,
            Assistant,
            __SkipField__,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "session" => Ok(GeneratedField::Session),
                            "assistant" => Ok(GeneratedField::Assistant),
                            _ => Ok(GeneratedField::__SkipField__),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = SessionsAssign;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct vyre.stream.v1.SessionsAssign")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<SessionsAssign, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut session__ = None;
                let mut assistant__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Session => {
                            if session__.is_some() {
                                return Err(serde::de::Error::duplicate_field("session"));
                            }
                            session__ = Some(map_.next_value()?);
                        }
                        GeneratedField::Assistant => {
                            if assistant__.is_some() {
                                return Err(serde::de::Error::duplicate_field("assistant"));
                            }
                            assistant__ = Some(map_.next_value()?);
                        }
                        GeneratedField::__SkipField__ => {
                            let _ = map_.next_value::<serde::de::IgnoredAny>()?;
                        }
                    }
                }
                Ok(SessionsAssign {
                    session: session__.unwrap_or_default(),
                    assistant: assistant__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("vyre.stream.v1.SessionsAssign", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for SessionsCreate {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.session.is_empty() {
            len += 1;
        }
        if !self.title.is_empty() {
            len += 1;
        }
        if !self.participants.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("vyre.stream.v1.SessionsCreate", len)?;
        if !self.session.is_empty() {
            struct_ser.serialize_field("session", &self.session)?;
        }
        if !self.title.is_empty() {
            struct_ser.serialize_field("title", &self.title)?;
        }
        if !self.participants.is_empty() {
            struct_ser.serialize_field("participants", &self.participants)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for SessionsCreate {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "session",
            "title",
            "participants",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Session,
            Title,
            Participants,
            __SkipField__,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "session" => Ok(GeneratedField::Session),
                            "title" => Ok(GeneratedField::Title),
                            "participants" => Ok(GeneratedField::Participants),
                            _ => Ok(GeneratedField::__SkipField__),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = SessionsCreate;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct vyre.stream.v1.SessionsCreate")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<SessionsCreate, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut session__ = None;
                let mut title__ = None;
                let mut participants__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Session => {
                            if session__.is_some() {
                                return Err(serde::de::Error::duplicate_field("session"));
                            }
                            session__ = Some(map_.next_value()?);
                        }
                        GeneratedField::Title => {
                            if title__.is_some() {
                                return Err(serde::de::Error::duplicate_field("title"));
                            }
                            title__ = Some(map_.next_value()?);
                        }
                        GeneratedField::Participants => {
                            if participants__.is_some() {
                                return Err(serde::de::Error::duplicate_field("participants"));
                            }
                            participants__ = Some(map_.next_value()?);
                        }
                        GeneratedField::__SkipField__ => {
                            let _ = map_.next_value::<serde::de::IgnoredAny>()?;
                        }
                    }
                }
                Ok(SessionsCreate {
                    session: session__.unwrap_or_default(),
                    title: title__.unwrap_or_default(),
                    participants: participants__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("vyre.stream.v1.SessionsCreate", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for SessionsJoin {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.session.is_empty() {
            len += 1;
        }
        if !self.who.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("vyre.stream.v1.SessionsJoin", len)?;
        if !self.session.is_empty() {
            struct_ser.serialize_field("session", &self.session)?;
        }
        if !self.who.is_empty() {
            struct_ser.serialize_field("who", &self.who)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for SessionsJoin {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "session",
            "who",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Session,
            Who,
            __SkipField__,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "session" => Ok(GeneratedField::Session),
                            "who" => Ok(GeneratedField::Who),
                            _ => Ok(GeneratedField::__SkipField__),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = SessionsJoin;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct vyre.stream.v1.SessionsJoin")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<SessionsJoin, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut session__ = None;
                let mut who__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Session => {
                            if session__.is_some() {
                                return Err(serde::de::Error::duplicate_field("session"));
                            }
                            session__ = Some(map_.next_value()?);
                        }
                        GeneratedField::Who => {
                            if who__.is_some() {
                                return Err(serde::de::Error::duplicate_field("who"));
                            }
                            who__ = Some(map_.next_value()?);
                        }
                        GeneratedField::__SkipField__ => {
                            let _ = map_.next_value::<serde::de::IgnoredAny>()?;
                        }
                    }
                }
                Ok(SessionsJoin {
                    session: session__.unwrap_or_default(),
                    who: who__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("vyre.stream.v1.SessionsJoin", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for SessionsLeave {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.session.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("vyre.stream.v1.SessionsLeave", len)?;
        if !self.session.is_empty() {
            struct_ser.serialize_field("session", &self.session)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for SessionsLeave {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "session",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Session,
            __SkipField__,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "session" => Ok(GeneratedField::Session),
                            _ => Ok(GeneratedField::__SkipField__),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = SessionsLeave;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct vyre.stream.v1.SessionsLeave")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<SessionsLeave, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut session__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Session => {
                            if session__.is_some() {
                                return Err(serde::de::Error::duplicate_field("session"));
                            }
                            session__ = Some(map_.next_value()?);
                        }
                        GeneratedField::__SkipField__ => {
                            let _ = map_.next_value::<serde::de::IgnoredAny>()?;
                        }
                    }
                }
                Ok(SessionsLeave {
                    session: session__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("vyre.stream.v1.SessionsLeave", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for SessionsList {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let len = 0;
        let struct_ser = serializer.serialize_struct("vyre.stream.v1.SessionsList", len)?;
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for SessionsList {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            __SkipField__,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                            Ok(GeneratedField::__SkipField__)
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = SessionsList;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct vyre.stream.v1.SessionsList")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<SessionsList, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                while map_.next_key::<GeneratedField>()?.is_some() {
                    let _ = map_.next_value::<serde::de::IgnoredAny>()?;
                }
                Ok(SessionsList {
                })
            }
        }
        deserializer.deserialize_struct("vyre.stream.v1.SessionsList", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for SessionsListed {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.sessions.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("vyre.stream.v1.SessionsListed", len)?;
        if !self.sessions.is_empty() {
            struct_ser.serialize_field("sessions", &self.sessions)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for SessionsListed {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "sessions",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Sessions,
            __SkipField__,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "sessions" => Ok(GeneratedField::Sessions),
                            _ => Ok(GeneratedField::__SkipField__),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = SessionsListed;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct vyre.stream.v1.SessionsListed")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<SessionsListed, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut sessions__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Sessions => {
                            if sessions__.is_some() {
                                return Err(serde::de::Error::duplicate_field("sessions"));
                            }
                            sessions__ = Some(map_.next_value()?);
                        }
                        GeneratedField::__SkipField__ => {
                            let _ = map_.next_value::<serde::de::IgnoredAny>()?;
                        }
                    }
                }
                Ok(SessionsListed {
                    sessions: sessions__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("vyre.stream.v1.SessionsListed", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for SessionsRemove {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.session.is_empty() {
            len += 1;
        }
        if !self.who.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("vyre.stream.v1.SessionsRemove", len)?;
        if !self.session.is_empty() {
            struct_ser.serialize_field("session", &self.session)?;
        }
        if !self.who.is_empty() {
            struct_ser.serialize_field("who", &self.who)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for SessionsRemove {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "session",
            "who",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Session,
            Who,
            __SkipField__,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "session" => Ok(GeneratedField::Session),
                            "who" => Ok(GeneratedField::Who),
                            _ => Ok(GeneratedField::__SkipField__),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = SessionsRemove;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct vyre.stream.v1.SessionsRemove")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<SessionsRemove, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut session__ = None;
                let mut who__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Session => {
                            if session__.is_some() {
                                return Err(serde::de::Error::duplicate_field("session"));
                            }
                            session__ = Some(map_.next_value()?);
                        }
                        GeneratedField::Who => {
                            if who__.is_some() {
                                return Err(serde::de::Error::duplicate_field("who"));
                            }
                            who__ = Some(map_.next_value()?);
                        }
                        GeneratedField::__SkipField__ => {
                            let _ = map_.next_value::<serde::de::IgnoredAny>()?;
                        }
                    }
                }
                Ok(SessionsRemove {
                    session: session__.unwrap_or_default(),
                    who: who__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("vyre.stream.v1.SessionsRemove", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for Source {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.title.is_empty() {
            len += 1;
        }
        if !self.url.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("vyre.stream.v1.Source", len)?;
        if !self.title.is_empty() {
            struct_ser.serialize_field("title", &self.title)?;
        }
        if !self.url.is_empty() {
            struct_ser.serialize_field("url", &self.url)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for Source {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "title",
            "url",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Title,
            Url,
            __SkipField__,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "title" => Ok(GeneratedField::Title),
                            "url" => Ok(GeneratedField::Url),
                            _ => Ok(GeneratedField::__SkipField__),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = Source;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct vyre.stream.v1.Source")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<Source, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut title__ = None;
                let mut url__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Title => {
                            if title__.is_some() {
                                return Err(serde::de::Error::duplicate_field("title"));
                            }
                            title__ = Some(map_.next_value()?);
                        }
                        GeneratedField::Url => {
                            if url__.is_some() {
                                return Err(serde::de::Error::duplicate_field("url"));
                            }
                            url__ = Some(map_.next_value()?);
                        }
                        GeneratedField::__SkipField__ => {
                            let _ = map_.next_value::<serde::de::IgnoredAny>()?;
                        }
                    }
                }
                Ok(Source {
                    title: title__.unwrap_or_default(),
                    url: url__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("vyre.stream.v1.Source", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for Status {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.state.is_empty() {
            len += 1;
        }
        if !self.note.is_empty() {
            len += 1;
        }
        if self.stopping {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("vyre.stream.v1.Status", len)?;
        if !self.state.is_empty() {
            struct_ser.serialize_field("state", &self.state)?;
        }
        if !self.note.is_empty() {
            struct_ser.serialize_field("note", &self.note)?;
        }
        if self.stopping {
            struct_ser.serialize_field("stopping", &self.stopping)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for Status {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "state",
            "note",
            "stopping",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            State,
            Note,
            Stopping,
            __SkipField__,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "state" => Ok(GeneratedField::State),
                            "note" => Ok(GeneratedField::Note),
                            "stopping" => Ok(GeneratedField::Stopping),
                            _ => Ok(GeneratedField::__SkipField__),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = Status;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct vyre.stream.v1.Status")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<Status, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut state__ = None;
                let mut note__ = None;
                let mut stopping__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::State => {
                            if state__.is_some() {
                                return Err(serde::de::Error::duplicate_field("state"));
                            }
                            state__ = Some(map_.next_value()?);
                        }
                        GeneratedField::Note => {
                            if note__.is_some() {
                                return Err(serde::de::Error::duplicate_field("note"));
                            }
                            note__ = Some(map_.next_value()?);
                        }
                        GeneratedField::Stopping => {
                            if stopping__.is_some() {
                                return Err(serde::de::Error::duplicate_field("stopping"));
                            }
                            stopping__ = Some(map_.next_value()?);
                        }
                        GeneratedField::__SkipField__ => {
                            let _ = map_.next_value::<serde::de::IgnoredAny>()?;
                        }
                    }
                }
                Ok(Status {
                    state: state__.unwrap_or_default(),
                    note: note__.unwrap_or_default(),
                    stopping: stopping__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("vyre.stream.v1.Status", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for StreamAnswer {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if self.answer.is_some() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("vyre.stream.v1.StreamAnswer", len)?;
        if let Some(v) = self.answer.as_ref() {
            match v {
                stream_answer::Answer::Opened(v) => {
                    struct_ser.serialize_field("opened", v)?;
                }
                stream_answer::Answer::Error(v) => {
                    struct_ser.serialize_field("error", v)?;
                }
                stream_answer::Answer::Accepted(v) => {
                    struct_ser.serialize_field("accepted", v)?;
                }
            }
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for StreamAnswer {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "opened",
            "error",
            "accepted",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Opened,
            Error,
            Accepted,
            __SkipField__,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "opened" => Ok(GeneratedField::Opened),
                            "error" => Ok(GeneratedField::Error),
                            "accepted" => Ok(GeneratedField::Accepted),
                            _ => Ok(GeneratedField::__SkipField__),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = StreamAnswer;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct vyre.stream.v1.StreamAnswer")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<StreamAnswer, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut answer__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Opened => {
                            if answer__.is_some() {
                                return Err(serde::de::Error::duplicate_field("opened"));
                            }
                            answer__ = map_.next_value::<::std::option::Option<_>>()?.map(stream_answer::Answer::Opened)
;
                        }
                        GeneratedField::Error => {
                            if answer__.is_some() {
                                return Err(serde::de::Error::duplicate_field("error"));
                            }
                            answer__ = map_.next_value::<::std::option::Option<_>>()?.map(stream_answer::Answer::Error)
;
                        }
                        GeneratedField::Accepted => {
                            if answer__.is_some() {
                                return Err(serde::de::Error::duplicate_field("accepted"));
                            }
                            answer__ = map_.next_value::<::std::option::Option<_>>()?.map(stream_answer::Answer::Accepted)
;
                        }
                        GeneratedField::__SkipField__ => {
                            let _ = map_.next_value::<serde::de::IgnoredAny>()?;
                        }
                    }
                }
                Ok(StreamAnswer {
                    answer: answer__,
                })
            }
        }
        deserializer.deserialize_struct("vyre.stream.v1.StreamAnswer", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for StreamBlob {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.session.is_empty() {
            len += 1;
        }
        if !self.r#ref.is_empty() {
            len += 1;
        }
        if self.offset != 0 {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("vyre.stream.v1.StreamBlob", len)?;
        if !self.session.is_empty() {
            struct_ser.serialize_field("session", &self.session)?;
        }
        if !self.r#ref.is_empty() {
            struct_ser.serialize_field("ref", &self.r#ref)?;
        }
        if self.offset != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("offset", ToString::to_string(&self.offset).as_str())?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for StreamBlob {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "session",
            "ref",
            "offset",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Session,
            Ref,
            Offset,
            __SkipField__,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "session" => Ok(GeneratedField::Session),
                            "ref" => Ok(GeneratedField::Ref),
                            "offset" => Ok(GeneratedField::Offset),
                            _ => Ok(GeneratedField::__SkipField__),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = StreamBlob;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct vyre.stream.v1.StreamBlob")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<StreamBlob, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut session__ = None;
                let mut r#ref__ = None;
                let mut offset__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Session => {
                            if session__.is_some() {
                                return Err(serde::de::Error::duplicate_field("session"));
                            }
                            session__ = Some(map_.next_value()?);
                        }
                        GeneratedField::Ref => {
                            if r#ref__.is_some() {
                                return Err(serde::de::Error::duplicate_field("ref"));
                            }
                            r#ref__ = Some(map_.next_value()?);
                        }
                        GeneratedField::Offset => {
                            if offset__.is_some() {
                                return Err(serde::de::Error::duplicate_field("offset"));
                            }
                            offset__ = 
                                Some(map_.next_value::<::pbjson::private::NumberDeserialize<_>>()?.0)
                            ;
                        }
                        GeneratedField::__SkipField__ => {
                            let _ = map_.next_value::<serde::de::IgnoredAny>()?;
                        }
                    }
                }
                Ok(StreamBlob {
                    session: session__.unwrap_or_default(),
                    r#ref: r#ref__.unwrap_or_default(),
                    offset: offset__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("vyre.stream.v1.StreamBlob", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for StreamBlobAnswer {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.bytes.is_empty() {
            len += 1;
        }
        if self.total != 0 {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("vyre.stream.v1.StreamBlobAnswer", len)?;
        if !self.bytes.is_empty() {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("bytes", pbjson::private::base64::encode(&self.bytes).as_str())?;
        }
        if self.total != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("total", ToString::to_string(&self.total).as_str())?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for StreamBlobAnswer {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "bytes",
            "total",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Bytes,
            Total,
            __SkipField__,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "bytes" => Ok(GeneratedField::Bytes),
                            "total" => Ok(GeneratedField::Total),
                            _ => Ok(GeneratedField::__SkipField__),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = StreamBlobAnswer;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct vyre.stream.v1.StreamBlobAnswer")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<StreamBlobAnswer, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut bytes__ = None;
                let mut total__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Bytes => {
                            if bytes__.is_some() {
                                return Err(serde::de::Error::duplicate_field("bytes"));
                            }
                            bytes__ = 
                                Some(map_.next_value::<::pbjson::private::BytesDeserialize<_>>()?.0)
                            ;
                        }
                        GeneratedField::Total => {
                            if total__.is_some() {
                                return Err(serde::de::Error::duplicate_field("total"));
                            }
                            total__ = 
                                Some(map_.next_value::<::pbjson::private::NumberDeserialize<_>>()?.0)
                            ;
                        }
                        GeneratedField::__SkipField__ => {
                            let _ = map_.next_value::<serde::de::IgnoredAny>()?;
                        }
                    }
                }
                Ok(StreamBlobAnswer {
                    bytes: bytes__.unwrap_or_default(),
                    total: total__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("vyre.stream.v1.StreamBlobAnswer", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for StreamFanoutKeep {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.session.is_empty() {
            len += 1;
        }
        if !self.group.is_empty() {
            len += 1;
        }
        if !self.keep.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("vyre.stream.v1.StreamFanoutKeep", len)?;
        if !self.session.is_empty() {
            struct_ser.serialize_field("session", &self.session)?;
        }
        if !self.group.is_empty() {
            struct_ser.serialize_field("group", &self.group)?;
        }
        if !self.keep.is_empty() {
            struct_ser.serialize_field("keep", &self.keep)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for StreamFanoutKeep {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "session",
            "group",
            "keep",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Session,
            Group,
            Keep,
            __SkipField__,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "session" => Ok(GeneratedField::Session),
                            "group" => Ok(GeneratedField::Group),
                            "keep" => Ok(GeneratedField::Keep),
                            _ => Ok(GeneratedField::__SkipField__),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = StreamFanoutKeep;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct vyre.stream.v1.StreamFanoutKeep")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<StreamFanoutKeep, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut session__ = None;
                let mut group__ = None;
                let mut keep__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Session => {
                            if session__.is_some() {
                                return Err(serde::de::Error::duplicate_field("session"));
                            }
                            session__ = Some(map_.next_value()?);
                        }
                        GeneratedField::Group => {
                            if group__.is_some() {
                                return Err(serde::de::Error::duplicate_field("group"));
                            }
                            group__ = Some(map_.next_value()?);
                        }
                        GeneratedField::Keep => {
                            if keep__.is_some() {
                                return Err(serde::de::Error::duplicate_field("keep"));
                            }
                            keep__ = Some(map_.next_value()?);
                        }
                        GeneratedField::__SkipField__ => {
                            let _ = map_.next_value::<serde::de::IgnoredAny>()?;
                        }
                    }
                }
                Ok(StreamFanoutKeep {
                    session: session__.unwrap_or_default(),
                    group: group__.unwrap_or_default(),
                    keep: keep__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("vyre.stream.v1.StreamFanoutKeep", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for StreamFanoutKept {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let len = 0;
        let struct_ser = serializer.serialize_struct("vyre.stream.v1.StreamFanoutKept", len)?;
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for StreamFanoutKept {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            __SkipField__,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                            Ok(GeneratedField::__SkipField__)
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = StreamFanoutKept;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct vyre.stream.v1.StreamFanoutKept")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<StreamFanoutKept, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                while map_.next_key::<GeneratedField>()?.is_some() {
                    let _ = map_.next_value::<serde::de::IgnoredAny>()?;
                }
                Ok(StreamFanoutKept {
                })
            }
        }
        deserializer.deserialize_struct("vyre.stream.v1.StreamFanoutKept", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for StreamHead {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if self.v != 0 {
            len += 1;
        }
        if !self.bearer.is_empty() {
            len += 1;
        }
        if self.want.is_some() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("vyre.stream.v1.StreamHead", len)?;
        if self.v != 0 {
            struct_ser.serialize_field("v", &self.v)?;
        }
        if !self.bearer.is_empty() {
            struct_ser.serialize_field("bearer", &self.bearer)?;
        }
        if let Some(v) = self.want.as_ref() {
            match v {
                stream_head::Want::Open(v) => {
                    struct_ser.serialize_field("open", v)?;
                }
                stream_head::Want::Attach(v) => {
                    struct_ser.serialize_field("attach", v)?;
                }
                stream_head::Want::Calls(v) => {
                    struct_ser.serialize_field("calls", v)?;
                }
                stream_head::Want::Publish(v) => {
                    struct_ser.serialize_field("publish", v)?;
                }
                stream_head::Want::Term(v) => {
                    struct_ser.serialize_field("term", v)?;
                }
            }
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for StreamHead {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "v",
            "bearer",
            "open",
            "attach",
            "calls",
            "publish",
            "term",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            V,
            Bearer,
            Open,
            Attach,
            Calls,
            Publish,
            Term,
            __SkipField__,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "v" => Ok(GeneratedField::V),
                            "bearer" => Ok(GeneratedField::Bearer),
                            "open" => Ok(GeneratedField::Open),
                            "attach" => Ok(GeneratedField::Attach),
                            "calls" => Ok(GeneratedField::Calls),
                            "publish" => Ok(GeneratedField::Publish),
                            "term" => Ok(GeneratedField::Term),
                            _ => Ok(GeneratedField::__SkipField__),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = StreamHead;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct vyre.stream.v1.StreamHead")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<StreamHead, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut v__ = None;
                let mut bearer__ = None;
                let mut want__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::V => {
                            if v__.is_some() {
                                return Err(serde::de::Error::duplicate_field("v"));
                            }
                            v__ = 
                                Some(map_.next_value::<::pbjson::private::NumberDeserialize<_>>()?.0)
                            ;
                        }
                        GeneratedField::Bearer => {
                            if bearer__.is_some() {
                                return Err(serde::de::Error::duplicate_field("bearer"));
                            }
                            bearer__ = Some(map_.next_value()?);
                        }
                        GeneratedField::Open => {
                            if want__.is_some() {
                                return Err(serde::de::Error::duplicate_field("open"));
                            }
                            want__ = map_.next_value::<::std::option::Option<_>>()?.map(stream_head::Want::Open)
;
                        }
                        GeneratedField::Attach => {
                            if want__.is_some() {
                                return Err(serde::de::Error::duplicate_field("attach"));
                            }
                            want__ = map_.next_value::<::std::option::Option<_>>()?.map(stream_head::Want::Attach)
;
                        }
                        GeneratedField::Calls => {
                            if want__.is_some() {
                                return Err(serde::de::Error::duplicate_field("calls"));
                            }
                            want__ = map_.next_value::<::std::option::Option<_>>()?.map(stream_head::Want::Calls)
;
                        }
                        GeneratedField::Publish => {
                            if want__.is_some() {
                                return Err(serde::de::Error::duplicate_field("publish"));
                            }
                            want__ = map_.next_value::<::std::option::Option<_>>()?.map(stream_head::Want::Publish)
;
                        }
                        GeneratedField::Term => {
                            if want__.is_some() {
                                return Err(serde::de::Error::duplicate_field("term"));
                            }
                            want__ = map_.next_value::<::std::option::Option<_>>()?.map(stream_head::Want::Term)
;
                        }
                        GeneratedField::__SkipField__ => {
                            let _ = map_.next_value::<serde::de::IgnoredAny>()?;
                        }
                    }
                }
                Ok(StreamHead {
                    v: v__.unwrap_or_default(),
                    bearer: bearer__.unwrap_or_default(),
                    want: want__,
                })
            }
        }
        deserializer.deserialize_struct("vyre.stream.v1.StreamHead", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for StreamHistory {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.session.is_empty() {
            len += 1;
        }
        if self.before != 0 {
            len += 1;
        }
        if self.limit != 0 {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("vyre.stream.v1.StreamHistory", len)?;
        if !self.session.is_empty() {
            struct_ser.serialize_field("session", &self.session)?;
        }
        if self.before != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("before", ToString::to_string(&self.before).as_str())?;
        }
        if self.limit != 0 {
            struct_ser.serialize_field("limit", &self.limit)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for StreamHistory {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "session",
            "before",
            "limit",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Session,
            Before,
            Limit,
            __SkipField__,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "session" => Ok(GeneratedField::Session),
                            "before" => Ok(GeneratedField::Before),
                            "limit" => Ok(GeneratedField::Limit),
                            _ => Ok(GeneratedField::__SkipField__),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = StreamHistory;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct vyre.stream.v1.StreamHistory")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<StreamHistory, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut session__ = None;
                let mut before__ = None;
                let mut limit__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Session => {
                            if session__.is_some() {
                                return Err(serde::de::Error::duplicate_field("session"));
                            }
                            session__ = Some(map_.next_value()?);
                        }
                        GeneratedField::Before => {
                            if before__.is_some() {
                                return Err(serde::de::Error::duplicate_field("before"));
                            }
                            before__ = 
                                Some(map_.next_value::<::pbjson::private::NumberDeserialize<_>>()?.0)
                            ;
                        }
                        GeneratedField::Limit => {
                            if limit__.is_some() {
                                return Err(serde::de::Error::duplicate_field("limit"));
                            }
                            limit__ = 
                                Some(map_.next_value::<::pbjson::private::NumberDeserialize<_>>()?.0)
                            ;
                        }
                        GeneratedField::__SkipField__ => {
                            let _ = map_.next_value::<serde::de::IgnoredAny>()?;
                        }
                    }
                }
                Ok(StreamHistory {
                    session: session__.unwrap_or_default(),
                    before: before__.unwrap_or_default(),
                    limit: limit__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("vyre.stream.v1.StreamHistory", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for StreamHistoryAnswer {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.frames.is_empty() {
            len += 1;
        }
        if self.more {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("vyre.stream.v1.StreamHistoryAnswer", len)?;
        if !self.frames.is_empty() {
            struct_ser.serialize_field("frames", &self.frames)?;
        }
        if self.more {
            struct_ser.serialize_field("more", &self.more)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for StreamHistoryAnswer {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "frames",
            "more",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Frames,
            More,
            __SkipField__,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "frames" => Ok(GeneratedField::Frames),
                            "more" => Ok(GeneratedField::More),
                            _ => Ok(GeneratedField::__SkipField__),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = StreamHistoryAnswer;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct vyre.stream.v1.StreamHistoryAnswer")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<StreamHistoryAnswer, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut frames__ = None;
                let mut more__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Frames => {
                            if frames__.is_some() {
                                return Err(serde::de::Error::duplicate_field("frames"));
                            }
                            frames__ = Some(map_.next_value()?);
                        }
                        GeneratedField::More => {
                            if more__.is_some() {
                                return Err(serde::de::Error::duplicate_field("more"));
                            }
                            more__ = Some(map_.next_value()?);
                        }
                        GeneratedField::__SkipField__ => {
                            let _ = map_.next_value::<serde::de::IgnoredAny>()?;
                        }
                    }
                }
                Ok(StreamHistoryAnswer {
                    frames: frames__.unwrap_or_default(),
                    more: more__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("vyre.stream.v1.StreamHistoryAnswer", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for StreamOpen {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.session.is_empty() {
            len += 1;
        }
        if self.from != 0 {
            len += 1;
        }
        if !self.log.is_empty() {
            len += 1;
        }
        if self.view != 0 {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("vyre.stream.v1.StreamOpen", len)?;
        if !self.session.is_empty() {
            struct_ser.serialize_field("session", &self.session)?;
        }
        if self.from != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("from", ToString::to_string(&self.from).as_str())?;
        }
        if !self.log.is_empty() {
            struct_ser.serialize_field("log", &self.log)?;
        }
        if self.view != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("view", ToString::to_string(&self.view).as_str())?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for StreamOpen {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "session",
            "from",
            "log",
            "view",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Session,
            From,
            Log,
            View,
            __SkipField__,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "session" => Ok(GeneratedField::Session),
                            "from" => Ok(GeneratedField::From),
                            "log" => Ok(GeneratedField::Log),
                            "view" => Ok(GeneratedField::View),
                            _ => Ok(GeneratedField::__SkipField__),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = StreamOpen;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct vyre.stream.v1.StreamOpen")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<StreamOpen, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut session__ = None;
                let mut from__ = None;
                let mut log__ = None;
                let mut view__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Session => {
                            if session__.is_some() {
                                return Err(serde::de::Error::duplicate_field("session"));
                            }
                            session__ = Some(map_.next_value()?);
                        }
                        GeneratedField::From => {
                            if from__.is_some() {
                                return Err(serde::de::Error::duplicate_field("from"));
                            }
                            from__ = 
                                Some(map_.next_value::<::pbjson::private::NumberDeserialize<_>>()?.0)
                            ;
                        }
                        GeneratedField::Log => {
                            if log__.is_some() {
                                return Err(serde::de::Error::duplicate_field("log"));
                            }
                            log__ = Some(map_.next_value()?);
                        }
                        GeneratedField::View => {
                            if view__.is_some() {
                                return Err(serde::de::Error::duplicate_field("view"));
                            }
                            view__ = 
                                Some(map_.next_value::<::pbjson::private::NumberDeserialize<_>>()?.0)
                            ;
                        }
                        GeneratedField::__SkipField__ => {
                            let _ = map_.next_value::<serde::de::IgnoredAny>()?;
                        }
                    }
                }
                Ok(StreamOpen {
                    session: session__.unwrap_or_default(),
                    from: from__.unwrap_or_default(),
                    log: log__.unwrap_or_default(),
                    view: view__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("vyre.stream.v1.StreamOpen", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for StreamOpened {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.ticket.is_empty() {
            len += 1;
        }
        if self.head != 0 {
            len += 1;
        }
        if self.floor != 0 {
            len += 1;
        }
        if !self.log.is_empty() {
            len += 1;
        }
        if !self.paths.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("vyre.stream.v1.StreamOpened", len)?;
        if !self.ticket.is_empty() {
            struct_ser.serialize_field("ticket", &self.ticket)?;
        }
        if self.head != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("head", ToString::to_string(&self.head).as_str())?;
        }
        if self.floor != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("floor", ToString::to_string(&self.floor).as_str())?;
        }
        if !self.log.is_empty() {
            struct_ser.serialize_field("log", &self.log)?;
        }
        if !self.paths.is_empty() {
            struct_ser.serialize_field("paths", &self.paths)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for StreamOpened {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "ticket",
            "head",
            "floor",
            "log",
            "paths",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Ticket,
            Head,
            Floor,
            Log,
            Paths,
            __SkipField__,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "ticket" => Ok(GeneratedField::Ticket),
                            "head" => Ok(GeneratedField::Head),
                            "floor" => Ok(GeneratedField::Floor),
                            "log" => Ok(GeneratedField::Log),
                            "paths" => Ok(GeneratedField::Paths),
                            _ => Ok(GeneratedField::__SkipField__),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = StreamOpened;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct vyre.stream.v1.StreamOpened")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<StreamOpened, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut ticket__ = None;
                let mut head__ = None;
                let mut floor__ = None;
                let mut log__ = None;
                let mut paths__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Ticket => {
                            if ticket__.is_some() {
                                return Err(serde::de::Error::duplicate_field("ticket"));
                            }
                            ticket__ = Some(map_.next_value()?);
                        }
                        GeneratedField::Head => {
                            if head__.is_some() {
                                return Err(serde::de::Error::duplicate_field("head"));
                            }
                            head__ = 
                                Some(map_.next_value::<::pbjson::private::NumberDeserialize<_>>()?.0)
                            ;
                        }
                        GeneratedField::Floor => {
                            if floor__.is_some() {
                                return Err(serde::de::Error::duplicate_field("floor"));
                            }
                            floor__ = 
                                Some(map_.next_value::<::pbjson::private::NumberDeserialize<_>>()?.0)
                            ;
                        }
                        GeneratedField::Log => {
                            if log__.is_some() {
                                return Err(serde::de::Error::duplicate_field("log"));
                            }
                            log__ = Some(map_.next_value()?);
                        }
                        GeneratedField::Paths => {
                            if paths__.is_some() {
                                return Err(serde::de::Error::duplicate_field("paths"));
                            }
                            paths__ = Some(map_.next_value()?);
                        }
                        GeneratedField::__SkipField__ => {
                            let _ = map_.next_value::<serde::de::IgnoredAny>()?;
                        }
                    }
                }
                Ok(StreamOpened {
                    ticket: ticket__.unwrap_or_default(),
                    head: head__.unwrap_or_default(),
                    floor: floor__.unwrap_or_default(),
                    log: log__.unwrap_or_default(),
                    paths: paths__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("vyre.stream.v1.StreamOpened", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for StreamPin {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.session.is_empty() {
            len += 1;
        }
        if !self.message.is_empty() {
            len += 1;
        }
        if self.on {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("vyre.stream.v1.StreamPin", len)?;
        if !self.session.is_empty() {
            struct_ser.serialize_field("session", &self.session)?;
        }
        if !self.message.is_empty() {
            struct_ser.serialize_field("message", &self.message)?;
        }
        if self.on {
            struct_ser.serialize_field("on", &self.on)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for StreamPin {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "session",
            "message",
            "on",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Session,
            Message,
            On,
            __SkipField__,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "session" => Ok(GeneratedField::Session),
                            "message" => Ok(GeneratedField::Message),
                            "on" => Ok(GeneratedField::On),
                            _ => Ok(GeneratedField::__SkipField__),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = StreamPin;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct vyre.stream.v1.StreamPin")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<StreamPin, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut session__ = None;
                let mut message__ = None;
                let mut on__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Session => {
                            if session__.is_some() {
                                return Err(serde::de::Error::duplicate_field("session"));
                            }
                            session__ = Some(map_.next_value()?);
                        }
                        GeneratedField::Message => {
                            if message__.is_some() {
                                return Err(serde::de::Error::duplicate_field("message"));
                            }
                            message__ = Some(map_.next_value()?);
                        }
                        GeneratedField::On => {
                            if on__.is_some() {
                                return Err(serde::de::Error::duplicate_field("on"));
                            }
                            on__ = Some(map_.next_value()?);
                        }
                        GeneratedField::__SkipField__ => {
                            let _ = map_.next_value::<serde::de::IgnoredAny>()?;
                        }
                    }
                }
                Ok(StreamPin {
                    session: session__.unwrap_or_default(),
                    message: message__.unwrap_or_default(),
                    on: on__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("vyre.stream.v1.StreamPin", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for StreamPinned {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let len = 0;
        let struct_ser = serializer.serialize_struct("vyre.stream.v1.StreamPinned", len)?;
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for StreamPinned {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            __SkipField__,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                            Ok(GeneratedField::__SkipField__)
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = StreamPinned;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct vyre.stream.v1.StreamPinned")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<StreamPinned, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                while map_.next_key::<GeneratedField>()?.is_some() {
                    let _ = map_.next_value::<serde::de::IgnoredAny>()?;
                }
                Ok(StreamPinned {
                })
            }
        }
        deserializer.deserialize_struct("vyre.stream.v1.StreamPinned", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for StreamPresence {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.session.is_empty() {
            len += 1;
        }
        if self.state != 0 {
            len += 1;
        }
        if !self.doing.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("vyre.stream.v1.StreamPresence", len)?;
        if !self.session.is_empty() {
            struct_ser.serialize_field("session", &self.session)?;
        }
        if self.state != 0 {
            let v = PresenceState::try_from(self.state)
                .map_err(|_| serde::ser::Error::custom(format!("Invalid variant {}", self.state)))?;
            struct_ser.serialize_field("state", &v)?;
        }
        if !self.doing.is_empty() {
            struct_ser.serialize_field("doing", &self.doing)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for StreamPresence {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "session",
            "state",
            "doing",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Session,
            State,
            Doing,
            __SkipField__,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "session" => Ok(GeneratedField::Session),
                            "state" => Ok(GeneratedField::State),
                            "doing" => Ok(GeneratedField::Doing),
                            _ => Ok(GeneratedField::__SkipField__),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = StreamPresence;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct vyre.stream.v1.StreamPresence")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<StreamPresence, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut session__ = None;
                let mut state__ = None;
                let mut doing__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Session => {
                            if session__.is_some() {
                                return Err(serde::de::Error::duplicate_field("session"));
                            }
                            session__ = Some(map_.next_value()?);
                        }
                        GeneratedField::State => {
                            if state__.is_some() {
                                return Err(serde::de::Error::duplicate_field("state"));
                            }
                            state__ = Some(map_.next_value::<PresenceState>()? as i32);
                        }
                        GeneratedField::Doing => {
                            if doing__.is_some() {
                                return Err(serde::de::Error::duplicate_field("doing"));
                            }
                            doing__ = Some(map_.next_value()?);
                        }
                        GeneratedField::__SkipField__ => {
                            let _ = map_.next_value::<serde::de::IgnoredAny>()?;
                        }
                    }
                }
                Ok(StreamPresence {
                    session: session__.unwrap_or_default(),
                    state: state__.unwrap_or_default(),
                    doing: doing__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("vyre.stream.v1.StreamPresence", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for StreamPresent {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let len = 0;
        let struct_ser = serializer.serialize_struct("vyre.stream.v1.StreamPresent", len)?;
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for StreamPresent {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            __SkipField__,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                            Ok(GeneratedField::__SkipField__)
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = StreamPresent;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct vyre.stream.v1.StreamPresent")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<StreamPresent, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                while map_.next_key::<GeneratedField>()?.is_some() {
                    let _ = map_.next_value::<serde::de::IgnoredAny>()?;
                }
                Ok(StreamPresent {
                })
            }
        }
        deserializer.deserialize_struct("vyre.stream.v1.StreamPresent", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for StreamReact {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.session.is_empty() {
            len += 1;
        }
        if !self.message.is_empty() {
            len += 1;
        }
        if !self.emoji.is_empty() {
            len += 1;
        }
        if self.on {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("vyre.stream.v1.StreamReact", len)?;
        if !self.session.is_empty() {
            struct_ser.serialize_field("session", &self.session)?;
        }
        if !self.message.is_empty() {
            struct_ser.serialize_field("message", &self.message)?;
        }
        if !self.emoji.is_empty() {
            struct_ser.serialize_field("emoji", &self.emoji)?;
        }
        if self.on {
            struct_ser.serialize_field("on", &self.on)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for StreamReact {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "session",
            "message",
            "emoji",
            "on",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Session,
            Message,
            Emoji,
            On,
            __SkipField__,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "session" => Ok(GeneratedField::Session),
                            "message" => Ok(GeneratedField::Message),
                            "emoji" => Ok(GeneratedField::Emoji),
                            "on" => Ok(GeneratedField::On),
                            _ => Ok(GeneratedField::__SkipField__),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = StreamReact;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct vyre.stream.v1.StreamReact")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<StreamReact, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut session__ = None;
                let mut message__ = None;
                let mut emoji__ = None;
                let mut on__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Session => {
                            if session__.is_some() {
                                return Err(serde::de::Error::duplicate_field("session"));
                            }
                            session__ = Some(map_.next_value()?);
                        }
                        GeneratedField::Message => {
                            if message__.is_some() {
                                return Err(serde::de::Error::duplicate_field("message"));
                            }
                            message__ = Some(map_.next_value()?);
                        }
                        GeneratedField::Emoji => {
                            if emoji__.is_some() {
                                return Err(serde::de::Error::duplicate_field("emoji"));
                            }
                            emoji__ = Some(map_.next_value()?);
                        }
                        GeneratedField::On => {
                            if on__.is_some() {
                                return Err(serde::de::Error::duplicate_field("on"));
                            }
                            on__ = Some(map_.next_value()?);
                        }
                        GeneratedField::__SkipField__ => {
                            let _ = map_.next_value::<serde::de::IgnoredAny>()?;
                        }
                    }
                }
                Ok(StreamReact {
                    session: session__.unwrap_or_default(),
                    message: message__.unwrap_or_default(),
                    emoji: emoji__.unwrap_or_default(),
                    on: on__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("vyre.stream.v1.StreamReact", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for StreamReacted {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let len = 0;
        let struct_ser = serializer.serialize_struct("vyre.stream.v1.StreamReacted", len)?;
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for StreamReacted {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            __SkipField__,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                            Ok(GeneratedField::__SkipField__)
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = StreamReacted;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct vyre.stream.v1.StreamReacted")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<StreamReacted, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                while map_.next_key::<GeneratedField>()?.is_some() {
                    let _ = map_.next_value::<serde::de::IgnoredAny>()?;
                }
                Ok(StreamReacted {
                })
            }
        }
        deserializer.deserialize_struct("vyre.stream.v1.StreamReacted", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for StreamRead {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.session.is_empty() {
            len += 1;
        }
        if !self.upto.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("vyre.stream.v1.StreamRead", len)?;
        if !self.session.is_empty() {
            struct_ser.serialize_field("session", &self.session)?;
        }
        if !self.upto.is_empty() {
            struct_ser.serialize_field("upto", &self.upto)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for StreamRead {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "session",
            "upto",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Session,
            Upto,
            __SkipField__,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "session" => Ok(GeneratedField::Session),
                            "upto" => Ok(GeneratedField::Upto),
                            _ => Ok(GeneratedField::__SkipField__),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = StreamRead;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct vyre.stream.v1.StreamRead")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<StreamRead, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut session__ = None;
                let mut upto__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Session => {
                            if session__.is_some() {
                                return Err(serde::de::Error::duplicate_field("session"));
                            }
                            session__ = Some(map_.next_value()?);
                        }
                        GeneratedField::Upto => {
                            if upto__.is_some() {
                                return Err(serde::de::Error::duplicate_field("upto"));
                            }
                            upto__ = Some(map_.next_value()?);
                        }
                        GeneratedField::__SkipField__ => {
                            let _ = map_.next_value::<serde::de::IgnoredAny>()?;
                        }
                    }
                }
                Ok(StreamRead {
                    session: session__.unwrap_or_default(),
                    upto: upto__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("vyre.stream.v1.StreamRead", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for StreamReadAnswer {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.upto.is_empty() {
            len += 1;
        }
        if self.cur != 0 {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("vyre.stream.v1.StreamReadAnswer", len)?;
        if !self.upto.is_empty() {
            struct_ser.serialize_field("upto", &self.upto)?;
        }
        if self.cur != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("cur", ToString::to_string(&self.cur).as_str())?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for StreamReadAnswer {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "upto",
            "cur",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Upto,
            Cur,
            __SkipField__,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "upto" => Ok(GeneratedField::Upto),
                            "cur" => Ok(GeneratedField::Cur),
                            _ => Ok(GeneratedField::__SkipField__),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = StreamReadAnswer;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct vyre.stream.v1.StreamReadAnswer")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<StreamReadAnswer, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut upto__ = None;
                let mut cur__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Upto => {
                            if upto__.is_some() {
                                return Err(serde::de::Error::duplicate_field("upto"));
                            }
                            upto__ = Some(map_.next_value()?);
                        }
                        GeneratedField::Cur => {
                            if cur__.is_some() {
                                return Err(serde::de::Error::duplicate_field("cur"));
                            }
                            cur__ = 
                                Some(map_.next_value::<::pbjson::private::NumberDeserialize<_>>()?.0)
                            ;
                        }
                        GeneratedField::__SkipField__ => {
                            let _ = map_.next_value::<serde::de::IgnoredAny>()?;
                        }
                    }
                }
                Ok(StreamReadAnswer {
                    upto: upto__.unwrap_or_default(),
                    cur: cur__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("vyre.stream.v1.StreamReadAnswer", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for StreamSend {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.session.is_empty() {
            len += 1;
        }
        if !self.message.is_empty() {
            len += 1;
        }
        if !self.text.is_empty() {
            len += 1;
        }
        if self.enc.is_some() {
            len += 1;
        }
        if !self.parent.is_empty() {
            len += 1;
        }
        if !self.mentions.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("vyre.stream.v1.StreamSend", len)?;
        if !self.session.is_empty() {
            struct_ser.serialize_field("session", &self.session)?;
        }
        if !self.message.is_empty() {
            struct_ser.serialize_field("message", &self.message)?;
        }
        if !self.text.is_empty() {
            struct_ser.serialize_field("text", &self.text)?;
        }
        if let Some(v) = self.enc.as_ref() {
            struct_ser.serialize_field("enc", v)?;
        }
        if !self.parent.is_empty() {
            struct_ser.serialize_field("parent", &self.parent)?;
        }
        if !self.mentions.is_empty() {
            struct_ser.serialize_field("mentions", &self.mentions)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for StreamSend {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "session",
            "message",
            "text",
            "enc",
            "parent",
            "mentions",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Session,
            Message,
            Text,
            Enc,
            Parent,
            Mentions,
            __SkipField__,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "session" => Ok(GeneratedField::Session),
                            "message" => Ok(GeneratedField::Message),
                            "text" => Ok(GeneratedField::Text),
                            "enc" => Ok(GeneratedField::Enc),
                            "parent" => Ok(GeneratedField::Parent),
                            "mentions" => Ok(GeneratedField::Mentions),
                            _ => Ok(GeneratedField::__SkipField__),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = StreamSend;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct vyre.stream.v1.StreamSend")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<StreamSend, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut session__ = None;
                let mut message__ = None;
                let mut text__ = None;
                let mut enc__ = None;
                let mut parent__ = None;
                let mut mentions__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Session => {
                            if session__.is_some() {
                                return Err(serde::de::Error::duplicate_field("session"));
                            }
                            session__ = Some(map_.next_value()?);
                        }
                        GeneratedField::Message => {
                            if message__.is_some() {
                                return Err(serde::de::Error::duplicate_field("message"));
                            }
                            message__ = Some(map_.next_value()?);
                        }
                        GeneratedField::Text => {
                            if text__.is_some() {
                                return Err(serde::de::Error::duplicate_field("text"));
                            }
                            text__ = Some(map_.next_value()?);
                        }
                        GeneratedField::Enc => {
                            if enc__.is_some() {
                                return Err(serde::de::Error::duplicate_field("enc"));
                            }
                            enc__ = map_.next_value()?;
                        }
                        GeneratedField::Parent => {
                            if parent__.is_some() {
                                return Err(serde::de::Error::duplicate_field("parent"));
                            }
                            parent__ = Some(map_.next_value()?);
                        }
                        GeneratedField::Mentions => {
                            if mentions__.is_some() {
                                return Err(serde::de::Error::duplicate_field("mentions"));
                            }
                            mentions__ = Some(map_.next_value()?);
                        }
                        GeneratedField::__SkipField__ => {
                            let _ = map_.next_value::<serde::de::IgnoredAny>()?;
                        }
                    }
                }
                Ok(StreamSend {
                    session: session__.unwrap_or_default(),
                    message: message__.unwrap_or_default(),
                    text: text__.unwrap_or_default(),
                    enc: enc__,
                    parent: parent__.unwrap_or_default(),
                    mentions: mentions__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("vyre.stream.v1.StreamSend", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for StreamSent {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.message.is_empty() {
            len += 1;
        }
        if self.state != 0 {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("vyre.stream.v1.StreamSent", len)?;
        if !self.message.is_empty() {
            struct_ser.serialize_field("message", &self.message)?;
        }
        if self.state != 0 {
            let v = UserState::try_from(self.state)
                .map_err(|_| serde::ser::Error::custom(format!("Invalid variant {}", self.state)))?;
            struct_ser.serialize_field("state", &v)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for StreamSent {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "message",
            "state",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Message,
            State,
            __SkipField__,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "message" => Ok(GeneratedField::Message),
                            "state" => Ok(GeneratedField::State),
                            _ => Ok(GeneratedField::__SkipField__),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = StreamSent;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct vyre.stream.v1.StreamSent")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<StreamSent, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut message__ = None;
                let mut state__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Message => {
                            if message__.is_some() {
                                return Err(serde::de::Error::duplicate_field("message"));
                            }
                            message__ = Some(map_.next_value()?);
                        }
                        GeneratedField::State => {
                            if state__.is_some() {
                                return Err(serde::de::Error::duplicate_field("state"));
                            }
                            state__ = Some(map_.next_value::<UserState>()? as i32);
                        }
                        GeneratedField::__SkipField__ => {
                            let _ = map_.next_value::<serde::de::IgnoredAny>()?;
                        }
                    }
                }
                Ok(StreamSent {
                    message: message__.unwrap_or_default(),
                    state: state__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("vyre.stream.v1.StreamSent", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for StreamStop {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.session.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("vyre.stream.v1.StreamStop", len)?;
        if !self.session.is_empty() {
            struct_ser.serialize_field("session", &self.session)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for StreamStop {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "session",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Session,
            __SkipField__,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "session" => Ok(GeneratedField::Session),
                            _ => Ok(GeneratedField::__SkipField__),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = StreamStop;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct vyre.stream.v1.StreamStop")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<StreamStop, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut session__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Session => {
                            if session__.is_some() {
                                return Err(serde::de::Error::duplicate_field("session"));
                            }
                            session__ = Some(map_.next_value()?);
                        }
                        GeneratedField::__SkipField__ => {
                            let _ = map_.next_value::<serde::de::IgnoredAny>()?;
                        }
                    }
                }
                Ok(StreamStop {
                    session: session__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("vyre.stream.v1.StreamStop", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for StreamStopped {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let len = 0;
        let struct_ser = serializer.serialize_struct("vyre.stream.v1.StreamStopped", len)?;
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for StreamStopped {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            __SkipField__,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                            Ok(GeneratedField::__SkipField__)
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = StreamStopped;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct vyre.stream.v1.StreamStopped")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<StreamStopped, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                while map_.next_key::<GeneratedField>()?.is_some() {
                    let _ = map_.next_value::<serde::de::IgnoredAny>()?;
                }
                Ok(StreamStopped {
                })
            }
        }
        deserializer.deserialize_struct("vyre.stream.v1.StreamStopped", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for StreamUnqueue {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.session.is_empty() {
            len += 1;
        }
        if !self.message.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("vyre.stream.v1.StreamUnqueue", len)?;
        if !self.session.is_empty() {
            struct_ser.serialize_field("session", &self.session)?;
        }
        if !self.message.is_empty() {
            struct_ser.serialize_field("message", &self.message)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for StreamUnqueue {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "session",
            "message",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Session,
            Message,
            __SkipField__,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "session" => Ok(GeneratedField::Session),
                            "message" => Ok(GeneratedField::Message),
                            _ => Ok(GeneratedField::__SkipField__),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = StreamUnqueue;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct vyre.stream.v1.StreamUnqueue")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<StreamUnqueue, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut session__ = None;
                let mut message__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Session => {
                            if session__.is_some() {
                                return Err(serde::de::Error::duplicate_field("session"));
                            }
                            session__ = Some(map_.next_value()?);
                        }
                        GeneratedField::Message => {
                            if message__.is_some() {
                                return Err(serde::de::Error::duplicate_field("message"));
                            }
                            message__ = Some(map_.next_value()?);
                        }
                        GeneratedField::__SkipField__ => {
                            let _ = map_.next_value::<serde::de::IgnoredAny>()?;
                        }
                    }
                }
                Ok(StreamUnqueue {
                    session: session__.unwrap_or_default(),
                    message: message__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("vyre.stream.v1.StreamUnqueue", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for StreamUnqueued {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let len = 0;
        let struct_ser = serializer.serialize_struct("vyre.stream.v1.StreamUnqueued", len)?;
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for StreamUnqueued {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            __SkipField__,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                            Ok(GeneratedField::__SkipField__)
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = StreamUnqueued;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct vyre.stream.v1.StreamUnqueued")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<StreamUnqueued, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                while map_.next_key::<GeneratedField>()?.is_some() {
                    let _ = map_.next_value::<serde::de::IgnoredAny>()?;
                }
                Ok(StreamUnqueued {
                })
            }
        }
        deserializer.deserialize_struct("vyre.stream.v1.StreamUnqueued", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for TaskBlock {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.title.is_empty() {
            len += 1;
        }
        if !self.items.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("vyre.stream.v1.TaskBlock", len)?;
        if !self.title.is_empty() {
            struct_ser.serialize_field("title", &self.title)?;
        }
        if !self.items.is_empty() {
            struct_ser.serialize_field("items", &self.items)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for TaskBlock {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "title",
            "items",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Title,
            Items,
            __SkipField__,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "title" => Ok(GeneratedField::Title),
                            "items" => Ok(GeneratedField::Items),
                            _ => Ok(GeneratedField::__SkipField__),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = TaskBlock;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct vyre.stream.v1.TaskBlock")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<TaskBlock, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut title__ = None;
                let mut items__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Title => {
                            if title__.is_some() {
                                return Err(serde::de::Error::duplicate_field("title"));
                            }
                            title__ = Some(map_.next_value()?);
                        }
                        GeneratedField::Items => {
                            if items__.is_some() {
                                return Err(serde::de::Error::duplicate_field("items"));
                            }
                            items__ = Some(map_.next_value()?);
                        }
                        GeneratedField::__SkipField__ => {
                            let _ = map_.next_value::<serde::de::IgnoredAny>()?;
                        }
                    }
                }
                Ok(TaskBlock {
                    title: title__.unwrap_or_default(),
                    items: items__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("vyre.stream.v1.TaskBlock", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for TaskItem {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.text.is_empty() {
            len += 1;
        }
        if !self.state.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("vyre.stream.v1.TaskItem", len)?;
        if !self.text.is_empty() {
            struct_ser.serialize_field("text", &self.text)?;
        }
        if !self.state.is_empty() {
            struct_ser.serialize_field("state", &self.state)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for TaskItem {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "text",
            "state",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Text,
            State,
            __SkipField__,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "text" => Ok(GeneratedField::Text),
                            "state" => Ok(GeneratedField::State),
                            _ => Ok(GeneratedField::__SkipField__),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = TaskItem;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct vyre.stream.v1.TaskItem")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<TaskItem, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut text__ = None;
                let mut state__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Text => {
                            if text__.is_some() {
                                return Err(serde::de::Error::duplicate_field("text"));
                            }
                            text__ = Some(map_.next_value()?);
                        }
                        GeneratedField::State => {
                            if state__.is_some() {
                                return Err(serde::de::Error::duplicate_field("state"));
                            }
                            state__ = Some(map_.next_value()?);
                        }
                        GeneratedField::__SkipField__ => {
                            let _ = map_.next_value::<serde::de::IgnoredAny>()?;
                        }
                    }
                }
                Ok(TaskItem {
                    text: text__.unwrap_or_default(),
                    state: state__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("vyre.stream.v1.TaskItem", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for TermAttach {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.term.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("vyre.stream.v1.TermAttach", len)?;
        if !self.term.is_empty() {
            struct_ser.serialize_field("term", &self.term)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for TermAttach {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "term",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Term,
            __SkipField__,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "term" => Ok(GeneratedField::Term),
                            _ => Ok(GeneratedField::__SkipField__),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = TermAttach;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct vyre.stream.v1.TermAttach")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<TermAttach, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut term__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Term => {
                            if term__.is_some() {
                                return Err(serde::de::Error::duplicate_field("term"));
                            }
                            term__ = Some(map_.next_value()?);
                        }
                        GeneratedField::__SkipField__ => {
                            let _ = map_.next_value::<serde::de::IgnoredAny>()?;
                        }
                    }
                }
                Ok(TermAttach {
                    term: term__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("vyre.stream.v1.TermAttach", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for TermAttached {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.ticket.is_empty() {
            len += 1;
        }
        if self.head != 0 {
            len += 1;
        }
        if self.floor != 0 {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("vyre.stream.v1.TermAttached", len)?;
        if !self.ticket.is_empty() {
            struct_ser.serialize_field("ticket", &self.ticket)?;
        }
        if self.head != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("head", ToString::to_string(&self.head).as_str())?;
        }
        if self.floor != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("floor", ToString::to_string(&self.floor).as_str())?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for TermAttached {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "ticket",
            "head",
            "floor",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Ticket,
            Head,
            Floor,
            __SkipField__,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "ticket" => Ok(GeneratedField::Ticket),
                            "head" => Ok(GeneratedField::Head),
                            "floor" => Ok(GeneratedField::Floor),
                            _ => Ok(GeneratedField::__SkipField__),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = TermAttached;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct vyre.stream.v1.TermAttached")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<TermAttached, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut ticket__ = None;
                let mut head__ = None;
                let mut floor__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Ticket => {
                            if ticket__.is_some() {
                                return Err(serde::de::Error::duplicate_field("ticket"));
                            }
                            ticket__ = Some(map_.next_value()?);
                        }
                        GeneratedField::Head => {
                            if head__.is_some() {
                                return Err(serde::de::Error::duplicate_field("head"));
                            }
                            head__ = 
                                Some(map_.next_value::<::pbjson::private::NumberDeserialize<_>>()?.0)
                            ;
                        }
                        GeneratedField::Floor => {
                            if floor__.is_some() {
                                return Err(serde::de::Error::duplicate_field("floor"));
                            }
                            floor__ = 
                                Some(map_.next_value::<::pbjson::private::NumberDeserialize<_>>()?.0)
                            ;
                        }
                        GeneratedField::__SkipField__ => {
                            let _ = map_.next_value::<serde::de::IgnoredAny>()?;
                        }
                    }
                }
                Ok(TermAttached {
                    ticket: ticket__.unwrap_or_default(),
                    head: head__.unwrap_or_default(),
                    floor: floor__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("vyre.stream.v1.TermAttached", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for TermChunk {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.call.is_empty() {
            len += 1;
        }
        if !self.command.is_empty() {
            len += 1;
        }
        if !self.output.is_empty() {
            len += 1;
        }
        if self.exit.is_some() {
            len += 1;
        }
        if self.total != 0 {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("vyre.stream.v1.TermChunk", len)?;
        if !self.call.is_empty() {
            struct_ser.serialize_field("call", &self.call)?;
        }
        if !self.command.is_empty() {
            struct_ser.serialize_field("command", &self.command)?;
        }
        if !self.output.is_empty() {
            struct_ser.serialize_field("output", &self.output)?;
        }
        if let Some(v) = self.exit.as_ref() {
            struct_ser.serialize_field("exit", v)?;
        }
        if self.total != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("total", ToString::to_string(&self.total).as_str())?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for TermChunk {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "call",
            "command",
            "output",
            "exit",
            "total",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Call,
            Command,
            Output,
            Exit,
            Total,
            __SkipField__,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "call" => Ok(GeneratedField::Call),
                            "command" => Ok(GeneratedField::Command),
                            "output" => Ok(GeneratedField::Output),
                            "exit" => Ok(GeneratedField::Exit),
                            "total" => Ok(GeneratedField::Total),
                            _ => Ok(GeneratedField::__SkipField__),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = TermChunk;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct vyre.stream.v1.TermChunk")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<TermChunk, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut call__ = None;
                let mut command__ = None;
                let mut output__ = None;
                let mut exit__ = None;
                let mut total__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Call => {
                            if call__.is_some() {
                                return Err(serde::de::Error::duplicate_field("call"));
                            }
                            call__ = Some(map_.next_value()?);
                        }
                        GeneratedField::Command => {
                            if command__.is_some() {
                                return Err(serde::de::Error::duplicate_field("command"));
                            }
                            command__ = Some(map_.next_value()?);
                        }
                        GeneratedField::Output => {
                            if output__.is_some() {
                                return Err(serde::de::Error::duplicate_field("output"));
                            }
                            output__ = Some(map_.next_value()?);
                        }
                        GeneratedField::Exit => {
                            if exit__.is_some() {
                                return Err(serde::de::Error::duplicate_field("exit"));
                            }
                            exit__ = 
                                map_.next_value::<::std::option::Option<::pbjson::private::NumberDeserialize<_>>>()?.map(|x| x.0)
                            ;
                        }
                        GeneratedField::Total => {
                            if total__.is_some() {
                                return Err(serde::de::Error::duplicate_field("total"));
                            }
                            total__ = 
                                Some(map_.next_value::<::pbjson::private::NumberDeserialize<_>>()?.0)
                            ;
                        }
                        GeneratedField::__SkipField__ => {
                            let _ = map_.next_value::<serde::de::IgnoredAny>()?;
                        }
                    }
                }
                Ok(TermChunk {
                    call: call__.unwrap_or_default(),
                    command: command__.unwrap_or_default(),
                    output: output__.unwrap_or_default(),
                    exit: exit__,
                    total: total__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("vyre.stream.v1.TermChunk", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for TermClose {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.term.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("vyre.stream.v1.TermClose", len)?;
        if !self.term.is_empty() {
            struct_ser.serialize_field("term", &self.term)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for TermClose {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "term",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Term,
            __SkipField__,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "term" => Ok(GeneratedField::Term),
                            _ => Ok(GeneratedField::__SkipField__),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = TermClose;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct vyre.stream.v1.TermClose")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<TermClose, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut term__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Term => {
                            if term__.is_some() {
                                return Err(serde::de::Error::duplicate_field("term"));
                            }
                            term__ = Some(map_.next_value()?);
                        }
                        GeneratedField::__SkipField__ => {
                            let _ = map_.next_value::<serde::de::IgnoredAny>()?;
                        }
                    }
                }
                Ok(TermClose {
                    term: term__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("vyre.stream.v1.TermClose", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for TermClosed {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let len = 0;
        let struct_ser = serializer.serialize_struct("vyre.stream.v1.TermClosed", len)?;
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for TermClosed {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            __SkipField__,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                            Ok(GeneratedField::__SkipField__)
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = TermClosed;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct vyre.stream.v1.TermClosed")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<TermClosed, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                while map_.next_key::<GeneratedField>()?.is_some() {
                    let _ = map_.next_value::<serde::de::IgnoredAny>()?;
                }
                Ok(TermClosed {
                })
            }
        }
        deserializer.deserialize_struct("vyre.stream.v1.TermClosed", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for TermCommand {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.term.is_empty() {
            len += 1;
        }
        if !self.line.is_empty() {
            len += 1;
        }
        if self.offset != 0 {
            len += 1;
        }
        if !self.via.is_empty() {
            len += 1;
        }
        if !self.surface.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("vyre.stream.v1.TermCommand", len)?;
        if !self.term.is_empty() {
            struct_ser.serialize_field("term", &self.term)?;
        }
        if !self.line.is_empty() {
            struct_ser.serialize_field("line", &self.line)?;
        }
        if self.offset != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("offset", ToString::to_string(&self.offset).as_str())?;
        }
        if !self.via.is_empty() {
            struct_ser.serialize_field("via", &self.via)?;
        }
        if !self.surface.is_empty() {
            struct_ser.serialize_field("surface", &self.surface)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for TermCommand {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "term",
            "line",
            "offset",
            "via",
            "surface",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Term,
            Line,
            Offset,
            Via,
            Surface,
            __SkipField__,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "term" => Ok(GeneratedField::Term),
                            "line" => Ok(GeneratedField::Line),
                            "offset" => Ok(GeneratedField::Offset),
                            "via" => Ok(GeneratedField::Via),
                            "surface" => Ok(GeneratedField::Surface),
                            _ => Ok(GeneratedField::__SkipField__),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = TermCommand;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct vyre.stream.v1.TermCommand")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<TermCommand, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut term__ = None;
                let mut line__ = None;
                let mut offset__ = None;
                let mut via__ = None;
                let mut surface__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Term => {
                            if term__.is_some() {
                                return Err(serde::de::Error::duplicate_field("term"));
                            }
                            term__ = Some(map_.next_value()?);
                        }
                        GeneratedField::Line => {
                            if line__.is_some() {
                                return Err(serde::de::Error::duplicate_field("line"));
                            }
                            line__ = Some(map_.next_value()?);
                        }
                        GeneratedField::Offset => {
                            if offset__.is_some() {
                                return Err(serde::de::Error::duplicate_field("offset"));
                            }
                            offset__ = 
                                Some(map_.next_value::<::pbjson::private::NumberDeserialize<_>>()?.0)
                            ;
                        }
                        GeneratedField::Via => {
                            if via__.is_some() {
                                return Err(serde::de::Error::duplicate_field("via"));
                            }
                            via__ = Some(map_.next_value()?);
                        }
                        GeneratedField::Surface => {
                            if surface__.is_some() {
                                return Err(serde::de::Error::duplicate_field("surface"));
                            }
                            surface__ = Some(map_.next_value()?);
                        }
                        GeneratedField::__SkipField__ => {
                            let _ = map_.next_value::<serde::de::IgnoredAny>()?;
                        }
                    }
                }
                Ok(TermCommand {
                    term: term__.unwrap_or_default(),
                    line: line__.unwrap_or_default(),
                    offset: offset__.unwrap_or_default(),
                    via: via__.unwrap_or_default(),
                    surface: surface__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("vyre.stream.v1.TermCommand", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for TermExit {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if self.code != 0 {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("vyre.stream.v1.TermExit", len)?;
        if self.code != 0 {
            struct_ser.serialize_field("code", &self.code)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for TermExit {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "code",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Code,
            __SkipField__,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "code" => Ok(GeneratedField::Code),
                            _ => Ok(GeneratedField::__SkipField__),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = TermExit;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct vyre.stream.v1.TermExit")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<TermExit, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut code__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Code => {
                            if code__.is_some() {
                                return Err(serde::de::Error::duplicate_field("code"));
                            }
                            code__ = 
                                Some(map_.next_value::<::pbjson::private::NumberDeserialize<_>>()?.0)
                            ;
                        }
                        GeneratedField::__SkipField__ => {
                            let _ = map_.next_value::<serde::de::IgnoredAny>()?;
                        }
                    }
                }
                Ok(TermExit {
                    code: code__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("vyre.stream.v1.TermExit", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for TermIn {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.bytes.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("vyre.stream.v1.TermIn", len)?;
        if !self.bytes.is_empty() {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("bytes", pbjson::private::base64::encode(&self.bytes).as_str())?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for TermIn {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "bytes",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Bytes,
            __SkipField__,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "bytes" => Ok(GeneratedField::Bytes),
                            _ => Ok(GeneratedField::__SkipField__),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = TermIn;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct vyre.stream.v1.TermIn")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<TermIn, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut bytes__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Bytes => {
                            if bytes__.is_some() {
                                return Err(serde::de::Error::duplicate_field("bytes"));
                            }
                            bytes__ = 
                                Some(map_.next_value::<::pbjson::private::BytesDeserialize<_>>()?.0)
                            ;
                        }
                        GeneratedField::__SkipField__ => {
                            let _ = map_.next_value::<serde::de::IgnoredAny>()?;
                        }
                    }
                }
                Ok(TermIn {
                    bytes: bytes__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("vyre.stream.v1.TermIn", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for TermInfo {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.term.is_empty() {
            len += 1;
        }
        if !self.author.is_empty() {
            len += 1;
        }
        if !self.shell.is_empty() {
            len += 1;
        }
        if self.cols != 0 {
            len += 1;
        }
        if self.rows != 0 {
            len += 1;
        }
        if self.opened_ms != 0 {
            len += 1;
        }
        if self.head != 0 {
            len += 1;
        }
        if self.screens != 0 {
            len += 1;
        }
        if self.reports != 0 {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("vyre.stream.v1.TermInfo", len)?;
        if !self.term.is_empty() {
            struct_ser.serialize_field("term", &self.term)?;
        }
        if !self.author.is_empty() {
            struct_ser.serialize_field("author", &self.author)?;
        }
        if !self.shell.is_empty() {
            struct_ser.serialize_field("shell", &self.shell)?;
        }
        if self.cols != 0 {
            struct_ser.serialize_field("cols", &self.cols)?;
        }
        if self.rows != 0 {
            struct_ser.serialize_field("rows", &self.rows)?;
        }
        if self.opened_ms != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("openedMs", ToString::to_string(&self.opened_ms).as_str())?;
        }
        if self.head != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("head", ToString::to_string(&self.head).as_str())?;
        }
        if self.screens != 0 {
            struct_ser.serialize_field("screens", &self.screens)?;
        }
        if self.reports != 0 {
            let v = TermReports::try_from(self.reports)
                .map_err(|_| serde::ser::Error::custom(format!("Invalid variant {}", self.reports)))?;
            struct_ser.serialize_field("reports", &v)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for TermInfo {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "term",
            "author",
            "shell",
            "cols",
            "rows",
            "opened_ms",
            "openedMs",
            "head",
            "screens",
            "reports",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Term,
            Author,
            Shell,
            Cols,
            Rows,
            OpenedMs,
            Head,
            Screens,
            Reports,
            __SkipField__,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "term" => Ok(GeneratedField::Term),
                            "author" => Ok(GeneratedField::Author),
                            "shell" => Ok(GeneratedField::Shell),
                            "cols" => Ok(GeneratedField::Cols),
                            "rows" => Ok(GeneratedField::Rows),
                            "openedMs" | "opened_ms" => Ok(GeneratedField::OpenedMs),
                            "head" => Ok(GeneratedField::Head),
                            "screens" => Ok(GeneratedField::Screens),
                            "reports" => Ok(GeneratedField::Reports),
                            _ => Ok(GeneratedField::__SkipField__),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = TermInfo;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct vyre.stream.v1.TermInfo")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<TermInfo, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut term__ = None;
                let mut author__ = None;
                let mut shell__ = None;
                let mut cols__ = None;
                let mut rows__ = None;
                let mut opened_ms__ = None;
                let mut head__ = None;
                let mut screens__ = None;
                let mut reports__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Term => {
                            if term__.is_some() {
                                return Err(serde::de::Error::duplicate_field("term"));
                            }
                            term__ = Some(map_.next_value()?);
                        }
                        GeneratedField::Author => {
                            if author__.is_some() {
                                return Err(serde::de::Error::duplicate_field("author"));
                            }
                            author__ = Some(map_.next_value()?);
                        }
                        GeneratedField::Shell => {
                            if shell__.is_some() {
                                return Err(serde::de::Error::duplicate_field("shell"));
                            }
                            shell__ = Some(map_.next_value()?);
                        }
                        GeneratedField::Cols => {
                            if cols__.is_some() {
                                return Err(serde::de::Error::duplicate_field("cols"));
                            }
                            cols__ = 
                                Some(map_.next_value::<::pbjson::private::NumberDeserialize<_>>()?.0)
                            ;
                        }
                        GeneratedField::Rows => {
                            if rows__.is_some() {
                                return Err(serde::de::Error::duplicate_field("rows"));
                            }
                            rows__ = 
                                Some(map_.next_value::<::pbjson::private::NumberDeserialize<_>>()?.0)
                            ;
                        }
                        GeneratedField::OpenedMs => {
                            if opened_ms__.is_some() {
                                return Err(serde::de::Error::duplicate_field("openedMs"));
                            }
                            opened_ms__ = 
                                Some(map_.next_value::<::pbjson::private::NumberDeserialize<_>>()?.0)
                            ;
                        }
                        GeneratedField::Head => {
                            if head__.is_some() {
                                return Err(serde::de::Error::duplicate_field("head"));
                            }
                            head__ = 
                                Some(map_.next_value::<::pbjson::private::NumberDeserialize<_>>()?.0)
                            ;
                        }
                        GeneratedField::Screens => {
                            if screens__.is_some() {
                                return Err(serde::de::Error::duplicate_field("screens"));
                            }
                            screens__ = 
                                Some(map_.next_value::<::pbjson::private::NumberDeserialize<_>>()?.0)
                            ;
                        }
                        GeneratedField::Reports => {
                            if reports__.is_some() {
                                return Err(serde::de::Error::duplicate_field("reports"));
                            }
                            reports__ = Some(map_.next_value::<TermReports>()? as i32);
                        }
                        GeneratedField::__SkipField__ => {
                            let _ = map_.next_value::<serde::de::IgnoredAny>()?;
                        }
                    }
                }
                Ok(TermInfo {
                    term: term__.unwrap_or_default(),
                    author: author__.unwrap_or_default(),
                    shell: shell__.unwrap_or_default(),
                    cols: cols__.unwrap_or_default(),
                    rows: rows__.unwrap_or_default(),
                    opened_ms: opened_ms__.unwrap_or_default(),
                    head: head__.unwrap_or_default(),
                    screens: screens__.unwrap_or_default(),
                    reports: reports__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("vyre.stream.v1.TermInfo", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for TermList {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.session.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("vyre.stream.v1.TermList", len)?;
        if !self.session.is_empty() {
            struct_ser.serialize_field("session", &self.session)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for TermList {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "session",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Session,
            __SkipField__,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "session" => Ok(GeneratedField::Session),
                            _ => Ok(GeneratedField::__SkipField__),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = TermList;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct vyre.stream.v1.TermList")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<TermList, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut session__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Session => {
                            if session__.is_some() {
                                return Err(serde::de::Error::duplicate_field("session"));
                            }
                            session__ = Some(map_.next_value()?);
                        }
                        GeneratedField::__SkipField__ => {
                            let _ = map_.next_value::<serde::de::IgnoredAny>()?;
                        }
                    }
                }
                Ok(TermList {
                    session: session__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("vyre.stream.v1.TermList", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for TermListed {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.terms.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("vyre.stream.v1.TermListed", len)?;
        if !self.terms.is_empty() {
            struct_ser.serialize_field("terms", &self.terms)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for TermListed {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "terms",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Terms,
            __SkipField__,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "terms" => Ok(GeneratedField::Terms),
                            _ => Ok(GeneratedField::__SkipField__),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = TermListed;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct vyre.stream.v1.TermListed")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<TermListed, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut terms__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Terms => {
                            if terms__.is_some() {
                                return Err(serde::de::Error::duplicate_field("terms"));
                            }
                            terms__ = Some(map_.next_value()?);
                        }
                        GeneratedField::__SkipField__ => {
                            let _ = map_.next_value::<serde::de::IgnoredAny>()?;
                        }
                    }
                }
                Ok(TermListed {
                    terms: terms__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("vyre.stream.v1.TermListed", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for TermOpen {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.session.is_empty() {
            len += 1;
        }
        if self.cols != 0 {
            len += 1;
        }
        if self.rows != 0 {
            len += 1;
        }
        if !self.cwd.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("vyre.stream.v1.TermOpen", len)?;
        if !self.session.is_empty() {
            struct_ser.serialize_field("session", &self.session)?;
        }
        if self.cols != 0 {
            struct_ser.serialize_field("cols", &self.cols)?;
        }
        if self.rows != 0 {
            struct_ser.serialize_field("rows", &self.rows)?;
        }
        if !self.cwd.is_empty() {
            struct_ser.serialize_field("cwd", &self.cwd)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for TermOpen {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "session",
            "cols",
            "rows",
            "cwd",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Session,
            Cols,
            Rows,
            Cwd,
            __SkipField__,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "session" => Ok(GeneratedField::Session),
                            "cols" => Ok(GeneratedField::Cols),
                            "rows" => Ok(GeneratedField::Rows),
                            "cwd" => Ok(GeneratedField::Cwd),
                            _ => Ok(GeneratedField::__SkipField__),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = TermOpen;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct vyre.stream.v1.TermOpen")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<TermOpen, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut session__ = None;
                let mut cols__ = None;
                let mut rows__ = None;
                let mut cwd__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Session => {
                            if session__.is_some() {
                                return Err(serde::de::Error::duplicate_field("session"));
                            }
                            session__ = Some(map_.next_value()?);
                        }
                        GeneratedField::Cols => {
                            if cols__.is_some() {
                                return Err(serde::de::Error::duplicate_field("cols"));
                            }
                            cols__ = 
                                Some(map_.next_value::<::pbjson::private::NumberDeserialize<_>>()?.0)
                            ;
                        }
                        GeneratedField::Rows => {
                            if rows__.is_some() {
                                return Err(serde::de::Error::duplicate_field("rows"));
                            }
                            rows__ = 
                                Some(map_.next_value::<::pbjson::private::NumberDeserialize<_>>()?.0)
                            ;
                        }
                        GeneratedField::Cwd => {
                            if cwd__.is_some() {
                                return Err(serde::de::Error::duplicate_field("cwd"));
                            }
                            cwd__ = Some(map_.next_value()?);
                        }
                        GeneratedField::__SkipField__ => {
                            let _ = map_.next_value::<serde::de::IgnoredAny>()?;
                        }
                    }
                }
                Ok(TermOpen {
                    session: session__.unwrap_or_default(),
                    cols: cols__.unwrap_or_default(),
                    rows: rows__.unwrap_or_default(),
                    cwd: cwd__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("vyre.stream.v1.TermOpen", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for TermOpened {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.term.is_empty() {
            len += 1;
        }
        if !self.ticket.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("vyre.stream.v1.TermOpened", len)?;
        if !self.term.is_empty() {
            struct_ser.serialize_field("term", &self.term)?;
        }
        if !self.ticket.is_empty() {
            struct_ser.serialize_field("ticket", &self.ticket)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for TermOpened {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "term",
            "ticket",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Term,
            Ticket,
            __SkipField__,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "term" => Ok(GeneratedField::Term),
                            "ticket" => Ok(GeneratedField::Ticket),
                            _ => Ok(GeneratedField::__SkipField__),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = TermOpened;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct vyre.stream.v1.TermOpened")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<TermOpened, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut term__ = None;
                let mut ticket__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Term => {
                            if term__.is_some() {
                                return Err(serde::de::Error::duplicate_field("term"));
                            }
                            term__ = Some(map_.next_value()?);
                        }
                        GeneratedField::Ticket => {
                            if ticket__.is_some() {
                                return Err(serde::de::Error::duplicate_field("ticket"));
                            }
                            ticket__ = Some(map_.next_value()?);
                        }
                        GeneratedField::__SkipField__ => {
                            let _ = map_.next_value::<serde::de::IgnoredAny>()?;
                        }
                    }
                }
                Ok(TermOpened {
                    term: term__.unwrap_or_default(),
                    ticket: ticket__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("vyre.stream.v1.TermOpened", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for TermOut {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if self.offset != 0 {
            len += 1;
        }
        if !self.bytes.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("vyre.stream.v1.TermOut", len)?;
        if self.offset != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("offset", ToString::to_string(&self.offset).as_str())?;
        }
        if !self.bytes.is_empty() {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("bytes", pbjson::private::base64::encode(&self.bytes).as_str())?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for TermOut {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "offset",
            "bytes",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Offset,
            Bytes,
            __SkipField__,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "offset" => Ok(GeneratedField::Offset),
                            "bytes" => Ok(GeneratedField::Bytes),
                            _ => Ok(GeneratedField::__SkipField__),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = TermOut;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct vyre.stream.v1.TermOut")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<TermOut, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut offset__ = None;
                let mut bytes__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Offset => {
                            if offset__.is_some() {
                                return Err(serde::de::Error::duplicate_field("offset"));
                            }
                            offset__ = 
                                Some(map_.next_value::<::pbjson::private::NumberDeserialize<_>>()?.0)
                            ;
                        }
                        GeneratedField::Bytes => {
                            if bytes__.is_some() {
                                return Err(serde::de::Error::duplicate_field("bytes"));
                            }
                            bytes__ = 
                                Some(map_.next_value::<::pbjson::private::BytesDeserialize<_>>()?.0)
                            ;
                        }
                        GeneratedField::__SkipField__ => {
                            let _ = map_.next_value::<serde::de::IgnoredAny>()?;
                        }
                    }
                }
                Ok(TermOut {
                    offset: offset__.unwrap_or_default(),
                    bytes: bytes__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("vyre.stream.v1.TermOut", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for TermRecord {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if self.record.is_some() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("vyre.stream.v1.TermRecord", len)?;
        if let Some(v) = self.record.as_ref() {
            match v {
                term_record::Record::Out(v) => {
                    struct_ser.serialize_field("out", v)?;
                }
                term_record::Record::Snapshot(v) => {
                    struct_ser.serialize_field("snapshot", v)?;
                }
                term_record::Record::Exit(v) => {
                    struct_ser.serialize_field("exit", v)?;
                }
                term_record::Record::In(v) => {
                    struct_ser.serialize_field("in", v)?;
                }
                term_record::Record::Resize(v) => {
                    struct_ser.serialize_field("resize", v)?;
                }
                term_record::Record::State(v) => {
                    struct_ser.serialize_field("state", v)?;
                }
                term_record::Record::Seen(v) => {
                    struct_ser.serialize_field("seen", v)?;
                }
            }
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for TermRecord {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "out",
            "snapshot",
            "exit",
            "in",
            "resize",
            "state",
            "seen",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Out,
            Snapshot,
            Exit,
            In,
            Resize,
            State,
            Seen,
            __SkipField__,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "out" => Ok(GeneratedField::Out),
                            "snapshot" => Ok(GeneratedField::Snapshot),
                            "exit" => Ok(GeneratedField::Exit),
                            "in" => Ok(GeneratedField::In),
                            "resize" => Ok(GeneratedField::Resize),
                            "state" => Ok(GeneratedField::State),
                            "seen" => Ok(GeneratedField::Seen),
                            _ => Ok(GeneratedField::__SkipField__),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = TermRecord;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct vyre.stream.v1.TermRecord")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<TermRecord, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut record__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Out => {
                            if record__.is_some() {
                                return Err(serde::de::Error::duplicate_field("out"));
                            }
                            record__ = map_.next_value::<::std::option::Option<_>>()?.map(term_record::Record::Out)
;
                        }
                        GeneratedField::Snapshot => {
                            if record__.is_some() {
                                return Err(serde::de::Error::duplicate_field("snapshot"));
                            }
                            record__ = map_.next_value::<::std::option::Option<_>>()?.map(term_record::Record::Snapshot)
;
                        }
                        GeneratedField::Exit => {
                            if record__.is_some() {
                                return Err(serde::de::Error::duplicate_field("exit"));
                            }
                            record__ = map_.next_value::<::std::option::Option<_>>()?.map(term_record::Record::Exit)
;
                        }
                        GeneratedField::In => {
                            if record__.is_some() {
                                return Err(serde::de::Error::duplicate_field("in"));
                            }
                            record__ = map_.next_value::<::std::option::Option<_>>()?.map(term_record::Record::In)
;
                        }
                        GeneratedField::Resize => {
                            if record__.is_some() {
                                return Err(serde::de::Error::duplicate_field("resize"));
                            }
                            record__ = map_.next_value::<::std::option::Option<_>>()?.map(term_record::Record::Resize)
;
                        }
                        GeneratedField::State => {
                            if record__.is_some() {
                                return Err(serde::de::Error::duplicate_field("state"));
                            }
                            record__ = map_.next_value::<::std::option::Option<_>>()?.map(term_record::Record::State)
;
                        }
                        GeneratedField::Seen => {
                            if record__.is_some() {
                                return Err(serde::de::Error::duplicate_field("seen"));
                            }
                            record__ = map_.next_value::<::std::option::Option<_>>()?.map(term_record::Record::Seen)
;
                        }
                        GeneratedField::__SkipField__ => {
                            let _ = map_.next_value::<serde::de::IgnoredAny>()?;
                        }
                    }
                }
                Ok(TermRecord {
                    record: record__,
                })
            }
        }
        deserializer.deserialize_struct("vyre.stream.v1.TermRecord", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for TermReports {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        let variant = match self {
            Self::Unknown => "TERM_REPORTS_UNKNOWN",
            Self::Starting => "TERM_REPORTS_STARTING",
            Self::Yes => "TERM_REPORTS_YES",
            Self::No => "TERM_REPORTS_NO",
        };
        serializer.serialize_str(variant)
    }
}
impl<'de> serde::Deserialize<'de> for TermReports {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "TERM_REPORTS_UNKNOWN",
            "TERM_REPORTS_STARTING",
            "TERM_REPORTS_YES",
            "TERM_REPORTS_NO",
        ];

        struct GeneratedVisitor;

        impl serde::de::Visitor<'_> for GeneratedVisitor {
            type Value = TermReports;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(formatter, "expected one of: {:?}", &FIELDS)
            }

            fn visit_i64<E>(self, v: i64) -> std::result::Result<Self::Value, E>
            where
                E: serde::de::Error,
            {
                i32::try_from(v)
                    .ok()
                    .and_then(|x| x.try_into().ok())
                    .ok_or_else(|| {
                        serde::de::Error::invalid_value(serde::de::Unexpected::Signed(v), &self)
                    })
            }

            fn visit_u64<E>(self, v: u64) -> std::result::Result<Self::Value, E>
            where
                E: serde::de::Error,
            {
                i32::try_from(v)
                    .ok()
                    .and_then(|x| x.try_into().ok())
                    .ok_or_else(|| {
                        serde::de::Error::invalid_value(serde::de::Unexpected::Unsigned(v), &self)
                    })
            }

            fn visit_str<E>(self, value: &str) -> std::result::Result<Self::Value, E>
            where
                E: serde::de::Error,
            {
                match value {
                    "TERM_REPORTS_UNKNOWN" => Ok(TermReports::Unknown),
                    "TERM_REPORTS_STARTING" => Ok(TermReports::Starting),
                    "TERM_REPORTS_YES" => Ok(TermReports::Yes),
                    "TERM_REPORTS_NO" => Ok(TermReports::No),
                    _ => Err(serde::de::Error::unknown_variant(value, FIELDS)),
                }
            }
        }
        deserializer.deserialize_any(GeneratedVisitor)
    }
}
impl serde::Serialize for TermResize {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if self.cols != 0 {
            len += 1;
        }
        if self.rows != 0 {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("vyre.stream.v1.TermResize", len)?;
        if self.cols != 0 {
            struct_ser.serialize_field("cols", &self.cols)?;
        }
        if self.rows != 0 {
            struct_ser.serialize_field("rows", &self.rows)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for TermResize {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "cols",
            "rows",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Cols,
            Rows,
            __SkipField__,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "cols" => Ok(GeneratedField::Cols),
                            "rows" => Ok(GeneratedField::Rows),
                            _ => Ok(GeneratedField::__SkipField__),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = TermResize;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct vyre.stream.v1.TermResize")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<TermResize, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut cols__ = None;
                let mut rows__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Cols => {
                            if cols__.is_some() {
                                return Err(serde::de::Error::duplicate_field("cols"));
                            }
                            cols__ = 
                                Some(map_.next_value::<::pbjson::private::NumberDeserialize<_>>()?.0)
                            ;
                        }
                        GeneratedField::Rows => {
                            if rows__.is_some() {
                                return Err(serde::de::Error::duplicate_field("rows"));
                            }
                            rows__ = 
                                Some(map_.next_value::<::pbjson::private::NumberDeserialize<_>>()?.0)
                            ;
                        }
                        GeneratedField::__SkipField__ => {
                            let _ = map_.next_value::<serde::de::IgnoredAny>()?;
                        }
                    }
                }
                Ok(TermResize {
                    cols: cols__.unwrap_or_default(),
                    rows: rows__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("vyre.stream.v1.TermResize", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for TermSeen {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if self.offset != 0 {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("vyre.stream.v1.TermSeen", len)?;
        if self.offset != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("offset", ToString::to_string(&self.offset).as_str())?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for TermSeen {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "offset",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Offset,
            __SkipField__,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "offset" => Ok(GeneratedField::Offset),
                            _ => Ok(GeneratedField::__SkipField__),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = TermSeen;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct vyre.stream.v1.TermSeen")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<TermSeen, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut offset__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Offset => {
                            if offset__.is_some() {
                                return Err(serde::de::Error::duplicate_field("offset"));
                            }
                            offset__ = 
                                Some(map_.next_value::<::pbjson::private::NumberDeserialize<_>>()?.0)
                            ;
                        }
                        GeneratedField::__SkipField__ => {
                            let _ = map_.next_value::<serde::de::IgnoredAny>()?;
                        }
                    }
                }
                Ok(TermSeen {
                    offset: offset__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("vyre.stream.v1.TermSeen", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for TermSnapshot {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if self.offset != 0 {
            len += 1;
        }
        if self.cols != 0 {
            len += 1;
        }
        if self.rows != 0 {
            len += 1;
        }
        if !self.bytes.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("vyre.stream.v1.TermSnapshot", len)?;
        if self.offset != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("offset", ToString::to_string(&self.offset).as_str())?;
        }
        if self.cols != 0 {
            struct_ser.serialize_field("cols", &self.cols)?;
        }
        if self.rows != 0 {
            struct_ser.serialize_field("rows", &self.rows)?;
        }
        if !self.bytes.is_empty() {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("bytes", pbjson::private::base64::encode(&self.bytes).as_str())?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for TermSnapshot {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "offset",
            "cols",
            "rows",
            "bytes",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Offset,
            Cols,
            Rows,
            Bytes,
            __SkipField__,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "offset" => Ok(GeneratedField::Offset),
                            "cols" => Ok(GeneratedField::Cols),
                            "rows" => Ok(GeneratedField::Rows),
                            "bytes" => Ok(GeneratedField::Bytes),
                            _ => Ok(GeneratedField::__SkipField__),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = TermSnapshot;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct vyre.stream.v1.TermSnapshot")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<TermSnapshot, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut offset__ = None;
                let mut cols__ = None;
                let mut rows__ = None;
                let mut bytes__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Offset => {
                            if offset__.is_some() {
                                return Err(serde::de::Error::duplicate_field("offset"));
                            }
                            offset__ = 
                                Some(map_.next_value::<::pbjson::private::NumberDeserialize<_>>()?.0)
                            ;
                        }
                        GeneratedField::Cols => {
                            if cols__.is_some() {
                                return Err(serde::de::Error::duplicate_field("cols"));
                            }
                            cols__ = 
                                Some(map_.next_value::<::pbjson::private::NumberDeserialize<_>>()?.0)
                            ;
                        }
                        GeneratedField::Rows => {
                            if rows__.is_some() {
                                return Err(serde::de::Error::duplicate_field("rows"));
                            }
                            rows__ = 
                                Some(map_.next_value::<::pbjson::private::NumberDeserialize<_>>()?.0)
                            ;
                        }
                        GeneratedField::Bytes => {
                            if bytes__.is_some() {
                                return Err(serde::de::Error::duplicate_field("bytes"));
                            }
                            bytes__ = 
                                Some(map_.next_value::<::pbjson::private::BytesDeserialize<_>>()?.0)
                            ;
                        }
                        GeneratedField::__SkipField__ => {
                            let _ = map_.next_value::<serde::de::IgnoredAny>()?;
                        }
                    }
                }
                Ok(TermSnapshot {
                    offset: offset__.unwrap_or_default(),
                    cols: cols__.unwrap_or_default(),
                    rows: rows__.unwrap_or_default(),
                    bytes: bytes__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("vyre.stream.v1.TermSnapshot", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for TermState {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if self.head != 0 {
            len += 1;
        }
        if self.decides {
            len += 1;
        }
        if self.reports != 0 {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("vyre.stream.v1.TermState", len)?;
        if self.head != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("head", ToString::to_string(&self.head).as_str())?;
        }
        if self.decides {
            struct_ser.serialize_field("decides", &self.decides)?;
        }
        if self.reports != 0 {
            let v = TermReports::try_from(self.reports)
                .map_err(|_| serde::ser::Error::custom(format!("Invalid variant {}", self.reports)))?;
            struct_ser.serialize_field("reports", &v)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for TermState {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "head",
            "decides",
            "reports",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Head,
            Decides,
            Reports,
            __SkipField__,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "head" => Ok(GeneratedField::Head),
                            "decides" => Ok(GeneratedField::Decides),
                            "reports" => Ok(GeneratedField::Reports),
                            _ => Ok(GeneratedField::__SkipField__),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = TermState;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct vyre.stream.v1.TermState")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<TermState, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut head__ = None;
                let mut decides__ = None;
                let mut reports__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Head => {
                            if head__.is_some() {
                                return Err(serde::de::Error::duplicate_field("head"));
                            }
                            head__ = 
                                Some(map_.next_value::<::pbjson::private::NumberDeserialize<_>>()?.0)
                            ;
                        }
                        GeneratedField::Decides => {
                            if decides__.is_some() {
                                return Err(serde::de::Error::duplicate_field("decides"));
                            }
                            decides__ = Some(map_.next_value()?);
                        }
                        GeneratedField::Reports => {
                            if reports__.is_some() {
                                return Err(serde::de::Error::duplicate_field("reports"));
                            }
                            reports__ = Some(map_.next_value::<TermReports>()? as i32);
                        }
                        GeneratedField::__SkipField__ => {
                            let _ = map_.next_value::<serde::de::IgnoredAny>()?;
                        }
                    }
                }
                Ok(TermState {
                    head: head__.unwrap_or_default(),
                    decides: decides__.unwrap_or_default(),
                    reports: reports__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("vyre.stream.v1.TermState", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for TermStream {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.ticket.is_empty() {
            len += 1;
        }
        if self.from.is_some() {
            len += 1;
        }
        if !self.surface.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("vyre.stream.v1.TermStream", len)?;
        if !self.ticket.is_empty() {
            struct_ser.serialize_field("ticket", &self.ticket)?;
        }
        if let Some(v) = self.from.as_ref() {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("from", ToString::to_string(&v).as_str())?;
        }
        if !self.surface.is_empty() {
            struct_ser.serialize_field("surface", &self.surface)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for TermStream {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "ticket",
            "from",
            "surface",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Ticket,
            From,
            Surface,
            __SkipField__,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "ticket" => Ok(GeneratedField::Ticket),
                            "from" => Ok(GeneratedField::From),
                            "surface" => Ok(GeneratedField::Surface),
                            _ => Ok(GeneratedField::__SkipField__),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = TermStream;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct vyre.stream.v1.TermStream")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<TermStream, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut ticket__ = None;
                let mut from__ = None;
                let mut surface__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Ticket => {
                            if ticket__.is_some() {
                                return Err(serde::de::Error::duplicate_field("ticket"));
                            }
                            ticket__ = Some(map_.next_value()?);
                        }
                        GeneratedField::From => {
                            if from__.is_some() {
                                return Err(serde::de::Error::duplicate_field("from"));
                            }
                            from__ = 
                                map_.next_value::<::std::option::Option<::pbjson::private::NumberDeserialize<_>>>()?.map(|x| x.0)
                            ;
                        }
                        GeneratedField::Surface => {
                            if surface__.is_some() {
                                return Err(serde::de::Error::duplicate_field("surface"));
                            }
                            surface__ = Some(map_.next_value()?);
                        }
                        GeneratedField::__SkipField__ => {
                            let _ = map_.next_value::<serde::de::IgnoredAny>()?;
                        }
                    }
                }
                Ok(TermStream {
                    ticket: ticket__.unwrap_or_default(),
                    from: from__,
                    surface: surface__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("vyre.stream.v1.TermStream", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for TermTyped {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.term.is_empty() {
            len += 1;
        }
        if !self.line.is_empty() {
            len += 1;
        }
        if self.offset != 0 {
            len += 1;
        }
        if !self.via.is_empty() {
            len += 1;
        }
        if !self.surface.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("vyre.stream.v1.TermTyped", len)?;
        if !self.term.is_empty() {
            struct_ser.serialize_field("term", &self.term)?;
        }
        if !self.line.is_empty() {
            struct_ser.serialize_field("line", &self.line)?;
        }
        if self.offset != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("offset", ToString::to_string(&self.offset).as_str())?;
        }
        if !self.via.is_empty() {
            struct_ser.serialize_field("via", &self.via)?;
        }
        if !self.surface.is_empty() {
            struct_ser.serialize_field("surface", &self.surface)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for TermTyped {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "term",
            "line",
            "offset",
            "via",
            "surface",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Term,
            Line,
            Offset,
            Via,
            Surface,
            __SkipField__,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "term" => Ok(GeneratedField::Term),
                            "line" => Ok(GeneratedField::Line),
                            "offset" => Ok(GeneratedField::Offset),
                            "via" => Ok(GeneratedField::Via),
                            "surface" => Ok(GeneratedField::Surface),
                            _ => Ok(GeneratedField::__SkipField__),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = TermTyped;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct vyre.stream.v1.TermTyped")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<TermTyped, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut term__ = None;
                let mut line__ = None;
                let mut offset__ = None;
                let mut via__ = None;
                let mut surface__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Term => {
                            if term__.is_some() {
                                return Err(serde::de::Error::duplicate_field("term"));
                            }
                            term__ = Some(map_.next_value()?);
                        }
                        GeneratedField::Line => {
                            if line__.is_some() {
                                return Err(serde::de::Error::duplicate_field("line"));
                            }
                            line__ = Some(map_.next_value()?);
                        }
                        GeneratedField::Offset => {
                            if offset__.is_some() {
                                return Err(serde::de::Error::duplicate_field("offset"));
                            }
                            offset__ = 
                                Some(map_.next_value::<::pbjson::private::NumberDeserialize<_>>()?.0)
                            ;
                        }
                        GeneratedField::Via => {
                            if via__.is_some() {
                                return Err(serde::de::Error::duplicate_field("via"));
                            }
                            via__ = Some(map_.next_value()?);
                        }
                        GeneratedField::Surface => {
                            if surface__.is_some() {
                                return Err(serde::de::Error::duplicate_field("surface"));
                            }
                            surface__ = Some(map_.next_value()?);
                        }
                        GeneratedField::__SkipField__ => {
                            let _ = map_.next_value::<serde::de::IgnoredAny>()?;
                        }
                    }
                }
                Ok(TermTyped {
                    term: term__.unwrap_or_default(),
                    line: line__.unwrap_or_default(),
                    offset: offset__.unwrap_or_default(),
                    via: via__.unwrap_or_default(),
                    surface: surface__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("vyre.stream.v1.TermTyped", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for TerminalBlock {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.command.is_empty() {
            len += 1;
        }
        if !self.output.is_empty() {
            len += 1;
        }
        if self.exit.is_some() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("vyre.stream.v1.TerminalBlock", len)?;
        if !self.command.is_empty() {
            struct_ser.serialize_field("command", &self.command)?;
        }
        if !self.output.is_empty() {
            struct_ser.serialize_field("output", &self.output)?;
        }
        if let Some(v) = self.exit.as_ref() {
            struct_ser.serialize_field("exit", v)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for TerminalBlock {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "command",
            "output",
            "exit",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Command,
            Output,
            Exit,
            __SkipField__,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "command" => Ok(GeneratedField::Command),
                            "output" => Ok(GeneratedField::Output),
                            "exit" => Ok(GeneratedField::Exit),
                            _ => Ok(GeneratedField::__SkipField__),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = TerminalBlock;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct vyre.stream.v1.TerminalBlock")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<TerminalBlock, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut command__ = None;
                let mut output__ = None;
                let mut exit__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Command => {
                            if command__.is_some() {
                                return Err(serde::de::Error::duplicate_field("command"));
                            }
                            command__ = Some(map_.next_value()?);
                        }
                        GeneratedField::Output => {
                            if output__.is_some() {
                                return Err(serde::de::Error::duplicate_field("output"));
                            }
                            output__ = Some(map_.next_value()?);
                        }
                        GeneratedField::Exit => {
                            if exit__.is_some() {
                                return Err(serde::de::Error::duplicate_field("exit"));
                            }
                            exit__ = 
                                map_.next_value::<::std::option::Option<::pbjson::private::NumberDeserialize<_>>>()?.map(|x| x.0)
                            ;
                        }
                        GeneratedField::__SkipField__ => {
                            let _ = map_.next_value::<serde::de::IgnoredAny>()?;
                        }
                    }
                }
                Ok(TerminalBlock {
                    command: command__.unwrap_or_default(),
                    output: output__.unwrap_or_default(),
                    exit: exit__,
                })
            }
        }
        deserializer.deserialize_struct("vyre.stream.v1.TerminalBlock", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for TextBlock {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.text.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("vyre.stream.v1.TextBlock", len)?;
        if !self.text.is_empty() {
            struct_ser.serialize_field("text", &self.text)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for TextBlock {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "text",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Text,
            __SkipField__,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "text" => Ok(GeneratedField::Text),
                            _ => Ok(GeneratedField::__SkipField__),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = TextBlock;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct vyre.stream.v1.TextBlock")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<TextBlock, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut text__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Text => {
                            if text__.is_some() {
                                return Err(serde::de::Error::duplicate_field("text"));
                            }
                            text__ = Some(map_.next_value()?);
                        }
                        GeneratedField::__SkipField__ => {
                            let _ = map_.next_value::<serde::de::IgnoredAny>()?;
                        }
                    }
                }
                Ok(TextBlock {
                    text: text__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("vyre.stream.v1.TextBlock", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for TextCut {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.note.is_empty() {
            len += 1;
        }
        if self.at != 0 {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("vyre.stream.v1.TextCut", len)?;
        if !self.note.is_empty() {
            struct_ser.serialize_field("note", &self.note)?;
        }
        if self.at != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("at", ToString::to_string(&self.at).as_str())?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for TextCut {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "note",
            "at",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Note,
            At,
            __SkipField__,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "note" => Ok(GeneratedField::Note),
                            "at" => Ok(GeneratedField::At),
                            _ => Ok(GeneratedField::__SkipField__),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = TextCut;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct vyre.stream.v1.TextCut")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<TextCut, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut note__ = None;
                let mut at__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Note => {
                            if note__.is_some() {
                                return Err(serde::de::Error::duplicate_field("note"));
                            }
                            note__ = Some(map_.next_value()?);
                        }
                        GeneratedField::At => {
                            if at__.is_some() {
                                return Err(serde::de::Error::duplicate_field("at"));
                            }
                            at__ = 
                                Some(map_.next_value::<::pbjson::private::NumberDeserialize<_>>()?.0)
                            ;
                        }
                        GeneratedField::__SkipField__ => {
                            let _ = map_.next_value::<serde::de::IgnoredAny>()?;
                        }
                    }
                }
                Ok(TextCut {
                    note: note__.unwrap_or_default(),
                    at: at__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("vyre.stream.v1.TextCut", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for TextDelta {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if self.channel != 0 {
            len += 1;
        }
        if self.at != 0 {
            len += 1;
        }
        if !self.text.is_empty() {
            len += 1;
        }
        if !self.parts.is_empty() {
            len += 1;
        }
        if !self.part_lane.is_empty() {
            len += 1;
        }
        if !self.lanes.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("vyre.stream.v1.TextDelta", len)?;
        if self.channel != 0 {
            let v = Channel::try_from(self.channel)
                .map_err(|_| serde::ser::Error::custom(format!("Invalid variant {}", self.channel)))?;
            struct_ser.serialize_field("channel", &v)?;
        }
        if self.at != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("at", ToString::to_string(&self.at).as_str())?;
        }
        if !self.text.is_empty() {
            struct_ser.serialize_field("text", &self.text)?;
        }
        if !self.parts.is_empty() {
            struct_ser.serialize_field("parts", &self.parts)?;
        }
        if !self.part_lane.is_empty() {
            struct_ser.serialize_field("partLane", &self.part_lane)?;
        }
        if !self.lanes.is_empty() {
            struct_ser.serialize_field("lanes", &self.lanes)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for TextDelta {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "channel",
            "at",
            "text",
            "parts",
            "part_lane",
            "partLane",
            "lanes",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Channel,
            At,
            Text,
            Parts,
            PartLane,
            Lanes,
            __SkipField__,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "channel" => Ok(GeneratedField::Channel),
                            "at" => Ok(GeneratedField::At),
                            "text" => Ok(GeneratedField::Text),
                            "parts" => Ok(GeneratedField::Parts),
                            "partLane" | "part_lane" => Ok(GeneratedField::PartLane),
                            "lanes" => Ok(GeneratedField::Lanes),
                            _ => Ok(GeneratedField::__SkipField__),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = TextDelta;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct vyre.stream.v1.TextDelta")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<TextDelta, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut channel__ = None;
                let mut at__ = None;
                let mut text__ = None;
                let mut parts__ = None;
                let mut part_lane__ = None;
                let mut lanes__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Channel => {
                            if channel__.is_some() {
                                return Err(serde::de::Error::duplicate_field("channel"));
                            }
                            channel__ = Some(map_.next_value::<Channel>()? as i32);
                        }
                        GeneratedField::At => {
                            if at__.is_some() {
                                return Err(serde::de::Error::duplicate_field("at"));
                            }
                            at__ = 
                                Some(map_.next_value::<::pbjson::private::NumberDeserialize<_>>()?.0)
                            ;
                        }
                        GeneratedField::Text => {
                            if text__.is_some() {
                                return Err(serde::de::Error::duplicate_field("text"));
                            }
                            text__ = Some(map_.next_value()?);
                        }
                        GeneratedField::Parts => {
                            if parts__.is_some() {
                                return Err(serde::de::Error::duplicate_field("parts"));
                            }
                            parts__ = Some(map_.next_value()?);
                        }
                        GeneratedField::PartLane => {
                            if part_lane__.is_some() {
                                return Err(serde::de::Error::duplicate_field("partLane"));
                            }
                            part_lane__ = 
                                Some(map_.next_value::<Vec<::pbjson::private::NumberDeserialize<_>>>()?
                                    .into_iter().map(|x| x.0).collect())
                            ;
                        }
                        GeneratedField::Lanes => {
                            if lanes__.is_some() {
                                return Err(serde::de::Error::duplicate_field("lanes"));
                            }
                            lanes__ = Some(map_.next_value()?);
                        }
                        GeneratedField::__SkipField__ => {
                            let _ = map_.next_value::<serde::de::IgnoredAny>()?;
                        }
                    }
                }
                Ok(TextDelta {
                    channel: channel__.unwrap_or_default(),
                    at: at__.unwrap_or_default(),
                    text: text__.unwrap_or_default(),
                    parts: parts__.unwrap_or_default(),
                    part_lane: part_lane__.unwrap_or_default(),
                    lanes: lanes__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("vyre.stream.v1.TextDelta", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for TextDone {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if self.text_len != 0 {
            len += 1;
        }
        if self.thinking_len != 0 {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("vyre.stream.v1.TextDone", len)?;
        if self.text_len != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("textLen", ToString::to_string(&self.text_len).as_str())?;
        }
        if self.thinking_len != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("thinkingLen", ToString::to_string(&self.thinking_len).as_str())?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for TextDone {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "text_len",
            "textLen",
            "thinking_len",
            "thinkingLen",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            TextLen,
            ThinkingLen,
            __SkipField__,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "textLen" | "text_len" => Ok(GeneratedField::TextLen),
                            "thinkingLen" | "thinking_len" => Ok(GeneratedField::ThinkingLen),
                            _ => Ok(GeneratedField::__SkipField__),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = TextDone;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct vyre.stream.v1.TextDone")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<TextDone, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut text_len__ = None;
                let mut thinking_len__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::TextLen => {
                            if text_len__.is_some() {
                                return Err(serde::de::Error::duplicate_field("textLen"));
                            }
                            text_len__ = 
                                Some(map_.next_value::<::pbjson::private::NumberDeserialize<_>>()?.0)
                            ;
                        }
                        GeneratedField::ThinkingLen => {
                            if thinking_len__.is_some() {
                                return Err(serde::de::Error::duplicate_field("thinkingLen"));
                            }
                            thinking_len__ = 
                                Some(map_.next_value::<::pbjson::private::NumberDeserialize<_>>()?.0)
                            ;
                        }
                        GeneratedField::__SkipField__ => {
                            let _ = map_.next_value::<serde::de::IgnoredAny>()?;
                        }
                    }
                }
                Ok(TextDone {
                    text_len: text_len__.unwrap_or_default(),
                    thinking_len: thinking_len__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("vyre.stream.v1.TextDone", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for ThreadBranched {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.from.is_empty() {
            len += 1;
        }
        if !self.session.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("vyre.stream.v1.ThreadBranched", len)?;
        if !self.from.is_empty() {
            struct_ser.serialize_field("from", &self.from)?;
        }
        if !self.session.is_empty() {
            struct_ser.serialize_field("session", &self.session)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for ThreadBranched {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "from",
            "session",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            From,
            Session,
            __SkipField__,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "from" => Ok(GeneratedField::From),
                            "session" => Ok(GeneratedField::Session),
                            _ => Ok(GeneratedField::__SkipField__),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = ThreadBranched;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct vyre.stream.v1.ThreadBranched")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<ThreadBranched, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut from__ = None;
                let mut session__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::From => {
                            if from__.is_some() {
                                return Err(serde::de::Error::duplicate_field("from"));
                            }
                            from__ = Some(map_.next_value()?);
                        }
                        GeneratedField::Session => {
                            if session__.is_some() {
                                return Err(serde::de::Error::duplicate_field("session"));
                            }
                            session__ = Some(map_.next_value()?);
                        }
                        GeneratedField::__SkipField__ => {
                            let _ = map_.next_value::<serde::de::IgnoredAny>()?;
                        }
                    }
                }
                Ok(ThreadBranched {
                    from: from__.unwrap_or_default(),
                    session: session__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("vyre.stream.v1.ThreadBranched", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for ThreadCut {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.message.is_empty() {
            len += 1;
        }
        if !self.note.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("vyre.stream.v1.ThreadCut", len)?;
        if !self.message.is_empty() {
            struct_ser.serialize_field("message", &self.message)?;
        }
        if !self.note.is_empty() {
            struct_ser.serialize_field("note", &self.note)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for ThreadCut {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "message",
            "note",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Message,
            Note,
            __SkipField__,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "message" => Ok(GeneratedField::Message),
                            "note" => Ok(GeneratedField::Note),
                            _ => Ok(GeneratedField::__SkipField__),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = ThreadCut;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct vyre.stream.v1.ThreadCut")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<ThreadCut, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut message__ = None;
                let mut note__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Message => {
                            if message__.is_some() {
                                return Err(serde::de::Error::duplicate_field("message"));
                            }
                            message__ = Some(map_.next_value()?);
                        }
                        GeneratedField::Note => {
                            if note__.is_some() {
                                return Err(serde::de::Error::duplicate_field("note"));
                            }
                            note__ = Some(map_.next_value()?);
                        }
                        GeneratedField::__SkipField__ => {
                            let _ = map_.next_value::<serde::de::IgnoredAny>()?;
                        }
                    }
                }
                Ok(ThreadCut {
                    message: message__.unwrap_or_default(),
                    note: note__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("vyre.stream.v1.ThreadCut", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for ThreadDelta {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.message.is_empty() {
            len += 1;
        }
        if !self.text.is_empty() {
            len += 1;
        }
        if !self.parent.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("vyre.stream.v1.ThreadDelta", len)?;
        if !self.message.is_empty() {
            struct_ser.serialize_field("message", &self.message)?;
        }
        if !self.text.is_empty() {
            struct_ser.serialize_field("text", &self.text)?;
        }
        if !self.parent.is_empty() {
            struct_ser.serialize_field("parent", &self.parent)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for ThreadDelta {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "message",
            "text",
            "parent",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Message,
            Text,
            Parent,
            __SkipField__,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "message" => Ok(GeneratedField::Message),
                            "text" => Ok(GeneratedField::Text),
                            "parent" => Ok(GeneratedField::Parent),
                            _ => Ok(GeneratedField::__SkipField__),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = ThreadDelta;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct vyre.stream.v1.ThreadDelta")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<ThreadDelta, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut message__ = None;
                let mut text__ = None;
                let mut parent__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Message => {
                            if message__.is_some() {
                                return Err(serde::de::Error::duplicate_field("message"));
                            }
                            message__ = Some(map_.next_value()?);
                        }
                        GeneratedField::Text => {
                            if text__.is_some() {
                                return Err(serde::de::Error::duplicate_field("text"));
                            }
                            text__ = Some(map_.next_value()?);
                        }
                        GeneratedField::Parent => {
                            if parent__.is_some() {
                                return Err(serde::de::Error::duplicate_field("parent"));
                            }
                            parent__ = Some(map_.next_value()?);
                        }
                        GeneratedField::__SkipField__ => {
                            let _ = map_.next_value::<serde::de::IgnoredAny>()?;
                        }
                    }
                }
                Ok(ThreadDelta {
                    message: message__.unwrap_or_default(),
                    text: text__.unwrap_or_default(),
                    parent: parent__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("vyre.stream.v1.ThreadDelta", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for ThreadDone {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.message.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("vyre.stream.v1.ThreadDone", len)?;
        if !self.message.is_empty() {
            struct_ser.serialize_field("message", &self.message)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for ThreadDone {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "message",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Message,
            __SkipField__,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "message" => Ok(GeneratedField::Message),
                            _ => Ok(GeneratedField::__SkipField__),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = ThreadDone;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct vyre.stream.v1.ThreadDone")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<ThreadDone, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut message__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Message => {
                            if message__.is_some() {
                                return Err(serde::de::Error::duplicate_field("message"));
                            }
                            message__ = Some(map_.next_value()?);
                        }
                        GeneratedField::__SkipField__ => {
                            let _ = map_.next_value::<serde::de::IgnoredAny>()?;
                        }
                    }
                }
                Ok(ThreadDone {
                    message: message__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("vyre.stream.v1.ThreadDone", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for ThreadFailed {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.note.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("vyre.stream.v1.ThreadFailed", len)?;
        if !self.note.is_empty() {
            struct_ser.serialize_field("note", &self.note)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for ThreadFailed {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "note",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Note,
            __SkipField__,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "note" => Ok(GeneratedField::Note),
                            _ => Ok(GeneratedField::__SkipField__),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = ThreadFailed;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct vyre.stream.v1.ThreadFailed")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<ThreadFailed, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut note__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Note => {
                            if note__.is_some() {
                                return Err(serde::de::Error::duplicate_field("note"));
                            }
                            note__ = Some(map_.next_value()?);
                        }
                        GeneratedField::__SkipField__ => {
                            let _ = map_.next_value::<serde::de::IgnoredAny>()?;
                        }
                    }
                }
                Ok(ThreadFailed {
                    note: note__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("vyre.stream.v1.ThreadFailed", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for ThreadFileChanged {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.path.is_empty() {
            len += 1;
        }
        if self.change != 0 {
            len += 1;
        }
        if !self.from.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("vyre.stream.v1.ThreadFileChanged", len)?;
        if !self.path.is_empty() {
            struct_ser.serialize_field("path", &self.path)?;
        }
        if self.change != 0 {
            let v = Change::try_from(self.change)
                .map_err(|_| serde::ser::Error::custom(format!("Invalid variant {}", self.change)))?;
            struct_ser.serialize_field("change", &v)?;
        }
        if !self.from.is_empty() {
            struct_ser.serialize_field("from", &self.from)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for ThreadFileChanged {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "path",
            "change",
            "from",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Path,
            Change,
            From,
            __SkipField__,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "path" => Ok(GeneratedField::Path),
                            "change" => Ok(GeneratedField::Change),
                            "from" => Ok(GeneratedField::From),
                            _ => Ok(GeneratedField::__SkipField__),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = ThreadFileChanged;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct vyre.stream.v1.ThreadFileChanged")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<ThreadFileChanged, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut path__ = None;
                let mut change__ = None;
                let mut from__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Path => {
                            if path__.is_some() {
                                return Err(serde::de::Error::duplicate_field("path"));
                            }
                            path__ = Some(map_.next_value()?);
                        }
                        GeneratedField::Change => {
                            if change__.is_some() {
                                return Err(serde::de::Error::duplicate_field("change"));
                            }
                            change__ = Some(map_.next_value::<Change>()? as i32);
                        }
                        GeneratedField::From => {
                            if from__.is_some() {
                                return Err(serde::de::Error::duplicate_field("from"));
                            }
                            from__ = Some(map_.next_value()?);
                        }
                        GeneratedField::__SkipField__ => {
                            let _ = map_.next_value::<serde::de::IgnoredAny>()?;
                        }
                    }
                }
                Ok(ThreadFileChanged {
                    path: path__.unwrap_or_default(),
                    change: change__.unwrap_or_default(),
                    from: from__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("vyre.stream.v1.ThreadFileChanged", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for ThreadQueued {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.message.is_empty() {
            len += 1;
        }
        if !self.via.is_empty() {
            len += 1;
        }
        if !self.text.is_empty() {
            len += 1;
        }
        if self.enc.is_some() {
            len += 1;
        }
        if !self.parent.is_empty() {
            len += 1;
        }
        if !self.mentions.is_empty() {
            len += 1;
        }
        if !self.to.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("vyre.stream.v1.ThreadQueued", len)?;
        if !self.message.is_empty() {
            struct_ser.serialize_field("message", &self.message)?;
        }
        if !self.via.is_empty() {
            struct_ser.serialize_field("via", &self.via)?;
        }
        if !self.text.is_empty() {
            struct_ser.serialize_field("text", &self.text)?;
        }
        if let Some(v) = self.enc.as_ref() {
            struct_ser.serialize_field("enc", v)?;
        }
        if !self.parent.is_empty() {
            struct_ser.serialize_field("parent", &self.parent)?;
        }
        if !self.mentions.is_empty() {
            struct_ser.serialize_field("mentions", &self.mentions)?;
        }
        if !self.to.is_empty() {
            struct_ser.serialize_field("to", &self.to)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for ThreadQueued {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "message",
            "via",
            "text",
            "enc",
            "parent",
            "mentions",
            "to",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Message,
            Via,
            Text,
            Enc,
            Parent,
            Mentions,
            To,
            __SkipField__,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "message" => Ok(GeneratedField::Message),
                            "via" => Ok(GeneratedField::Via),
                            "text" => Ok(GeneratedField::Text),
                            "enc" => Ok(GeneratedField::Enc),
                            "parent" => Ok(GeneratedField::Parent),
                            "mentions" => Ok(GeneratedField::Mentions),
                            "to" => Ok(GeneratedField::To),
                            _ => Ok(GeneratedField::__SkipField__),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = ThreadQueued;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct vyre.stream.v1.ThreadQueued")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<ThreadQueued, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut message__ = None;
                let mut via__ = None;
                let mut text__ = None;
                let mut enc__ = None;
                let mut parent__ = None;
                let mut mentions__ = None;
                let mut to__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Message => {
                            if message__.is_some() {
                                return Err(serde::de::Error::duplicate_field("message"));
                            }
                            message__ = Some(map_.next_value()?);
                        }
                        GeneratedField::Via => {
                            if via__.is_some() {
                                return Err(serde::de::Error::duplicate_field("via"));
                            }
                            via__ = Some(map_.next_value()?);
                        }
                        GeneratedField::Text => {
                            if text__.is_some() {
                                return Err(serde::de::Error::duplicate_field("text"));
                            }
                            text__ = Some(map_.next_value()?);
                        }
                        GeneratedField::Enc => {
                            if enc__.is_some() {
                                return Err(serde::de::Error::duplicate_field("enc"));
                            }
                            enc__ = map_.next_value()?;
                        }
                        GeneratedField::Parent => {
                            if parent__.is_some() {
                                return Err(serde::de::Error::duplicate_field("parent"));
                            }
                            parent__ = Some(map_.next_value()?);
                        }
                        GeneratedField::Mentions => {
                            if mentions__.is_some() {
                                return Err(serde::de::Error::duplicate_field("mentions"));
                            }
                            mentions__ = Some(map_.next_value()?);
                        }
                        GeneratedField::To => {
                            if to__.is_some() {
                                return Err(serde::de::Error::duplicate_field("to"));
                            }
                            to__ = Some(map_.next_value()?);
                        }
                        GeneratedField::__SkipField__ => {
                            let _ = map_.next_value::<serde::de::IgnoredAny>()?;
                        }
                    }
                }
                Ok(ThreadQueued {
                    message: message__.unwrap_or_default(),
                    via: via__.unwrap_or_default(),
                    text: text__.unwrap_or_default(),
                    enc: enc__,
                    parent: parent__.unwrap_or_default(),
                    mentions: mentions__.unwrap_or_default(),
                    to: to__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("vyre.stream.v1.ThreadQueued", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for ThreadRewound {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.message.is_empty() {
            len += 1;
        }
        if !self.to.is_empty() {
            len += 1;
        }
        if !self.again.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("vyre.stream.v1.ThreadRewound", len)?;
        if !self.message.is_empty() {
            struct_ser.serialize_field("message", &self.message)?;
        }
        if !self.to.is_empty() {
            struct_ser.serialize_field("to", &self.to)?;
        }
        if !self.again.is_empty() {
            struct_ser.serialize_field("again", &self.again)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for ThreadRewound {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "message",
            "to",
            "again",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Message,
            To,
            Again,
            __SkipField__,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "message" => Ok(GeneratedField::Message),
                            "to" => Ok(GeneratedField::To),
                            "again" => Ok(GeneratedField::Again),
                            _ => Ok(GeneratedField::__SkipField__),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = ThreadRewound;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct vyre.stream.v1.ThreadRewound")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<ThreadRewound, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut message__ = None;
                let mut to__ = None;
                let mut again__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Message => {
                            if message__.is_some() {
                                return Err(serde::de::Error::duplicate_field("message"));
                            }
                            message__ = Some(map_.next_value()?);
                        }
                        GeneratedField::To => {
                            if to__.is_some() {
                                return Err(serde::de::Error::duplicate_field("to"));
                            }
                            to__ = Some(map_.next_value()?);
                        }
                        GeneratedField::Again => {
                            if again__.is_some() {
                                return Err(serde::de::Error::duplicate_field("again"));
                            }
                            again__ = Some(map_.next_value()?);
                        }
                        GeneratedField::__SkipField__ => {
                            let _ = map_.next_value::<serde::de::IgnoredAny>()?;
                        }
                    }
                }
                Ok(ThreadRewound {
                    message: message__.unwrap_or_default(),
                    to: to__.unwrap_or_default(),
                    again: again__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("vyre.stream.v1.ThreadRewound", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for ThreadSent {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.message.is_empty() {
            len += 1;
        }
        if !self.via.is_empty() {
            len += 1;
        }
        if !self.text.is_empty() {
            len += 1;
        }
        if self.enc.is_some() {
            len += 1;
        }
        if !self.by.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("vyre.stream.v1.ThreadSent", len)?;
        if !self.message.is_empty() {
            struct_ser.serialize_field("message", &self.message)?;
        }
        if !self.via.is_empty() {
            struct_ser.serialize_field("via", &self.via)?;
        }
        if !self.text.is_empty() {
            struct_ser.serialize_field("text", &self.text)?;
        }
        if let Some(v) = self.enc.as_ref() {
            struct_ser.serialize_field("enc", v)?;
        }
        if !self.by.is_empty() {
            struct_ser.serialize_field("by", &self.by)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for ThreadSent {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "message",
            "via",
            "text",
            "enc",
            "by",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Message,
            Via,
            Text,
            Enc,
            By,
            __SkipField__,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "message" => Ok(GeneratedField::Message),
                            "via" => Ok(GeneratedField::Via),
                            "text" => Ok(GeneratedField::Text),
                            "enc" => Ok(GeneratedField::Enc),
                            "by" => Ok(GeneratedField::By),
                            _ => Ok(GeneratedField::__SkipField__),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = ThreadSent;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct vyre.stream.v1.ThreadSent")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<ThreadSent, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut message__ = None;
                let mut via__ = None;
                let mut text__ = None;
                let mut enc__ = None;
                let mut by__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Message => {
                            if message__.is_some() {
                                return Err(serde::de::Error::duplicate_field("message"));
                            }
                            message__ = Some(map_.next_value()?);
                        }
                        GeneratedField::Via => {
                            if via__.is_some() {
                                return Err(serde::de::Error::duplicate_field("via"));
                            }
                            via__ = Some(map_.next_value()?);
                        }
                        GeneratedField::Text => {
                            if text__.is_some() {
                                return Err(serde::de::Error::duplicate_field("text"));
                            }
                            text__ = Some(map_.next_value()?);
                        }
                        GeneratedField::Enc => {
                            if enc__.is_some() {
                                return Err(serde::de::Error::duplicate_field("enc"));
                            }
                            enc__ = map_.next_value()?;
                        }
                        GeneratedField::By => {
                            if by__.is_some() {
                                return Err(serde::de::Error::duplicate_field("by"));
                            }
                            by__ = Some(map_.next_value()?);
                        }
                        GeneratedField::__SkipField__ => {
                            let _ = map_.next_value::<serde::de::IgnoredAny>()?;
                        }
                    }
                }
                Ok(ThreadSent {
                    message: message__.unwrap_or_default(),
                    via: via__.unwrap_or_default(),
                    text: text__.unwrap_or_default(),
                    enc: enc__,
                    by: by__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("vyre.stream.v1.ThreadSent", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for ThreadShell {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.call.is_empty() {
            len += 1;
        }
        if !self.command.is_empty() {
            len += 1;
        }
        if !self.output.is_empty() {
            len += 1;
        }
        if self.exit.is_some() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("vyre.stream.v1.ThreadShell", len)?;
        if !self.call.is_empty() {
            struct_ser.serialize_field("call", &self.call)?;
        }
        if !self.command.is_empty() {
            struct_ser.serialize_field("command", &self.command)?;
        }
        if !self.output.is_empty() {
            struct_ser.serialize_field("output", &self.output)?;
        }
        if let Some(v) = self.exit.as_ref() {
            struct_ser.serialize_field("exit", v)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for ThreadShell {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "call",
            "command",
            "output",
            "exit",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Call,
            Command,
            Output,
            Exit,
            __SkipField__,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "call" => Ok(GeneratedField::Call),
                            "command" => Ok(GeneratedField::Command),
                            "output" => Ok(GeneratedField::Output),
                            "exit" => Ok(GeneratedField::Exit),
                            _ => Ok(GeneratedField::__SkipField__),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = ThreadShell;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct vyre.stream.v1.ThreadShell")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<ThreadShell, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut call__ = None;
                let mut command__ = None;
                let mut output__ = None;
                let mut exit__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Call => {
                            if call__.is_some() {
                                return Err(serde::de::Error::duplicate_field("call"));
                            }
                            call__ = Some(map_.next_value()?);
                        }
                        GeneratedField::Command => {
                            if command__.is_some() {
                                return Err(serde::de::Error::duplicate_field("command"));
                            }
                            command__ = Some(map_.next_value()?);
                        }
                        GeneratedField::Output => {
                            if output__.is_some() {
                                return Err(serde::de::Error::duplicate_field("output"));
                            }
                            output__ = Some(map_.next_value()?);
                        }
                        GeneratedField::Exit => {
                            if exit__.is_some() {
                                return Err(serde::de::Error::duplicate_field("exit"));
                            }
                            exit__ = 
                                map_.next_value::<::std::option::Option<::pbjson::private::NumberDeserialize<_>>>()?.map(|x| x.0)
                            ;
                        }
                        GeneratedField::__SkipField__ => {
                            let _ = map_.next_value::<serde::de::IgnoredAny>()?;
                        }
                    }
                }
                Ok(ThreadShell {
                    call: call__.unwrap_or_default(),
                    command: command__.unwrap_or_default(),
                    output: output__.unwrap_or_default(),
                    exit: exit__,
                })
            }
        }
        deserializer.deserialize_struct("vyre.stream.v1.ThreadShell", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for ThreadStarted {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.title.is_empty() {
            len += 1;
        }
        if !self.folder.is_empty() {
            len += 1;
        }
        if !self.assistant.is_empty() {
            len += 1;
        }
        if self.group {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("vyre.stream.v1.ThreadStarted", len)?;
        if !self.title.is_empty() {
            struct_ser.serialize_field("title", &self.title)?;
        }
        if !self.folder.is_empty() {
            struct_ser.serialize_field("folder", &self.folder)?;
        }
        if !self.assistant.is_empty() {
            struct_ser.serialize_field("assistant", &self.assistant)?;
        }
        if self.group {
            struct_ser.serialize_field("group", &self.group)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for ThreadStarted {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "title",
            "folder",
            "assistant",
            "group",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Title,
            Folder,
            Assistant,
            Group,
            __SkipField__,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "title" => Ok(GeneratedField::Title),
                            "folder" => Ok(GeneratedField::Folder),
                            "assistant" => Ok(GeneratedField::Assistant),
                            "group" => Ok(GeneratedField::Group),
                            _ => Ok(GeneratedField::__SkipField__),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = ThreadStarted;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct vyre.stream.v1.ThreadStarted")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<ThreadStarted, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut title__ = None;
                let mut folder__ = None;
                let mut assistant__ = None;
                let mut group__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Title => {
                            if title__.is_some() {
                                return Err(serde::de::Error::duplicate_field("title"));
                            }
                            title__ = Some(map_.next_value()?);
                        }
                        GeneratedField::Folder => {
                            if folder__.is_some() {
                                return Err(serde::de::Error::duplicate_field("folder"));
                            }
                            folder__ = Some(map_.next_value()?);
                        }
                        GeneratedField::Assistant => {
                            if assistant__.is_some() {
                                return Err(serde::de::Error::duplicate_field("assistant"));
                            }
                            assistant__ = Some(map_.next_value()?);
                        }
                        GeneratedField::Group => {
                            if group__.is_some() {
                                return Err(serde::de::Error::duplicate_field("group"));
                            }
                            group__ = Some(map_.next_value()?);
                        }
                        GeneratedField::__SkipField__ => {
                            let _ = map_.next_value::<serde::de::IgnoredAny>()?;
                        }
                    }
                }
                Ok(ThreadStarted {
                    title: title__.unwrap_or_default(),
                    folder: folder__.unwrap_or_default(),
                    assistant: assistant__.unwrap_or_default(),
                    group: group__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("vyre.stream.v1.ThreadStarted", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for ThreadStatus {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.state.is_empty() {
            len += 1;
        }
        if !self.note.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("vyre.stream.v1.ThreadStatus", len)?;
        if !self.state.is_empty() {
            struct_ser.serialize_field("state", &self.state)?;
        }
        if !self.note.is_empty() {
            struct_ser.serialize_field("note", &self.note)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for ThreadStatus {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "state",
            "note",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            State,
            Note,
            __SkipField__,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "state" => Ok(GeneratedField::State),
                            "note" => Ok(GeneratedField::Note),
                            _ => Ok(GeneratedField::__SkipField__),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = ThreadStatus;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct vyre.stream.v1.ThreadStatus")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<ThreadStatus, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut state__ = None;
                let mut note__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::State => {
                            if state__.is_some() {
                                return Err(serde::de::Error::duplicate_field("state"));
                            }
                            state__ = Some(map_.next_value()?);
                        }
                        GeneratedField::Note => {
                            if note__.is_some() {
                                return Err(serde::de::Error::duplicate_field("note"));
                            }
                            note__ = Some(map_.next_value()?);
                        }
                        GeneratedField::__SkipField__ => {
                            let _ = map_.next_value::<serde::de::IgnoredAny>()?;
                        }
                    }
                }
                Ok(ThreadStatus {
                    state: state__.unwrap_or_default(),
                    note: note__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("vyre.stream.v1.ThreadStatus", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for ThreadSteered {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.message.is_empty() {
            len += 1;
        }
        if !self.via.is_empty() {
            len += 1;
        }
        if !self.text.is_empty() {
            len += 1;
        }
        if !self.by.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("vyre.stream.v1.ThreadSteered", len)?;
        if !self.message.is_empty() {
            struct_ser.serialize_field("message", &self.message)?;
        }
        if !self.via.is_empty() {
            struct_ser.serialize_field("via", &self.via)?;
        }
        if !self.text.is_empty() {
            struct_ser.serialize_field("text", &self.text)?;
        }
        if !self.by.is_empty() {
            struct_ser.serialize_field("by", &self.by)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for ThreadSteered {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "message",
            "via",
            "text",
            "by",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Message,
            Via,
            Text,
            By,
            __SkipField__,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "message" => Ok(GeneratedField::Message),
                            "via" => Ok(GeneratedField::Via),
                            "text" => Ok(GeneratedField::Text),
                            "by" => Ok(GeneratedField::By),
                            _ => Ok(GeneratedField::__SkipField__),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = ThreadSteered;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct vyre.stream.v1.ThreadSteered")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<ThreadSteered, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut message__ = None;
                let mut via__ = None;
                let mut text__ = None;
                let mut by__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Message => {
                            if message__.is_some() {
                                return Err(serde::de::Error::duplicate_field("message"));
                            }
                            message__ = Some(map_.next_value()?);
                        }
                        GeneratedField::Via => {
                            if via__.is_some() {
                                return Err(serde::de::Error::duplicate_field("via"));
                            }
                            via__ = Some(map_.next_value()?);
                        }
                        GeneratedField::Text => {
                            if text__.is_some() {
                                return Err(serde::de::Error::duplicate_field("text"));
                            }
                            text__ = Some(map_.next_value()?);
                        }
                        GeneratedField::By => {
                            if by__.is_some() {
                                return Err(serde::de::Error::duplicate_field("by"));
                            }
                            by__ = Some(map_.next_value()?);
                        }
                        GeneratedField::__SkipField__ => {
                            let _ = map_.next_value::<serde::de::IgnoredAny>()?;
                        }
                    }
                }
                Ok(ThreadSteered {
                    message: message__.unwrap_or_default(),
                    via: via__.unwrap_or_default(),
                    text: text__.unwrap_or_default(),
                    by: by__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("vyre.stream.v1.ThreadSteered", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for ThreadStopped {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.note.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("vyre.stream.v1.ThreadStopped", len)?;
        if !self.note.is_empty() {
            struct_ser.serialize_field("note", &self.note)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for ThreadStopped {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "note",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Note,
            __SkipField__,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "note" => Ok(GeneratedField::Note),
                            _ => Ok(GeneratedField::__SkipField__),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = ThreadStopped;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct vyre.stream.v1.ThreadStopped")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<ThreadStopped, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut note__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Note => {
                            if note__.is_some() {
                                return Err(serde::de::Error::duplicate_field("note"));
                            }
                            note__ = Some(map_.next_value()?);
                        }
                        GeneratedField::__SkipField__ => {
                            let _ = map_.next_value::<serde::de::IgnoredAny>()?;
                        }
                    }
                }
                Ok(ThreadStopped {
                    note: note__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("vyre.stream.v1.ThreadStopped", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for ThreadStopping {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.note.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("vyre.stream.v1.ThreadStopping", len)?;
        if !self.note.is_empty() {
            struct_ser.serialize_field("note", &self.note)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for ThreadStopping {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "note",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Note,
            __SkipField__,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "note" => Ok(GeneratedField::Note),
                            _ => Ok(GeneratedField::__SkipField__),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = ThreadStopping;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct vyre.stream.v1.ThreadStopping")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<ThreadStopping, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut note__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Note => {
                            if note__.is_some() {
                                return Err(serde::de::Error::duplicate_field("note"));
                            }
                            note__ = Some(map_.next_value()?);
                        }
                        GeneratedField::__SkipField__ => {
                            let _ = map_.next_value::<serde::de::IgnoredAny>()?;
                        }
                    }
                }
                Ok(ThreadStopping {
                    note: note__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("vyre.stream.v1.ThreadStopping", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for ThreadThinking {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.message.is_empty() {
            len += 1;
        }
        if !self.text.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("vyre.stream.v1.ThreadThinking", len)?;
        if !self.message.is_empty() {
            struct_ser.serialize_field("message", &self.message)?;
        }
        if !self.text.is_empty() {
            struct_ser.serialize_field("text", &self.text)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for ThreadThinking {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "message",
            "text",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Message,
            Text,
            __SkipField__,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "message" => Ok(GeneratedField::Message),
                            "text" => Ok(GeneratedField::Text),
                            _ => Ok(GeneratedField::__SkipField__),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = ThreadThinking;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct vyre.stream.v1.ThreadThinking")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<ThreadThinking, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut message__ = None;
                let mut text__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Message => {
                            if message__.is_some() {
                                return Err(serde::de::Error::duplicate_field("message"));
                            }
                            message__ = Some(map_.next_value()?);
                        }
                        GeneratedField::Text => {
                            if text__.is_some() {
                                return Err(serde::de::Error::duplicate_field("text"));
                            }
                            text__ = Some(map_.next_value()?);
                        }
                        GeneratedField::__SkipField__ => {
                            let _ = map_.next_value::<serde::de::IgnoredAny>()?;
                        }
                    }
                }
                Ok(ThreadThinking {
                    message: message__.unwrap_or_default(),
                    text: text__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("vyre.stream.v1.ThreadThinking", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for ThreadToolFinished {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.call.is_empty() {
            len += 1;
        }
        if !self.tool.is_empty() {
            len += 1;
        }
        if self.ok {
            len += 1;
        }
        if !self.result.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("vyre.stream.v1.ThreadToolFinished", len)?;
        if !self.call.is_empty() {
            struct_ser.serialize_field("call", &self.call)?;
        }
        if !self.tool.is_empty() {
            struct_ser.serialize_field("tool", &self.tool)?;
        }
        if self.ok {
            struct_ser.serialize_field("ok", &self.ok)?;
        }
        if !self.result.is_empty() {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("result", pbjson::private::base64::encode(&self.result).as_str())?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for ThreadToolFinished {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "call",
            "tool",
            "ok",
            "result",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Call,
            Tool,
            Ok,
            Result,
            __SkipField__,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "call" => Ok(GeneratedField::Call),
                            "tool" => Ok(GeneratedField::Tool),
                            "ok" => Ok(GeneratedField::Ok),
                            "result" => Ok(GeneratedField::Result),
                            _ => Ok(GeneratedField::__SkipField__),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = ThreadToolFinished;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct vyre.stream.v1.ThreadToolFinished")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<ThreadToolFinished, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut call__ = None;
                let mut tool__ = None;
                let mut ok__ = None;
                let mut result__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Call => {
                            if call__.is_some() {
                                return Err(serde::de::Error::duplicate_field("call"));
                            }
                            call__ = Some(map_.next_value()?);
                        }
                        GeneratedField::Tool => {
                            if tool__.is_some() {
                                return Err(serde::de::Error::duplicate_field("tool"));
                            }
                            tool__ = Some(map_.next_value()?);
                        }
                        GeneratedField::Ok => {
                            if ok__.is_some() {
                                return Err(serde::de::Error::duplicate_field("ok"));
                            }
                            ok__ = Some(map_.next_value()?);
                        }
                        GeneratedField::Result => {
                            if result__.is_some() {
                                return Err(serde::de::Error::duplicate_field("result"));
                            }
                            result__ = 
                                Some(map_.next_value::<::pbjson::private::BytesDeserialize<_>>()?.0)
                            ;
                        }
                        GeneratedField::__SkipField__ => {
                            let _ = map_.next_value::<serde::de::IgnoredAny>()?;
                        }
                    }
                }
                Ok(ThreadToolFinished {
                    call: call__.unwrap_or_default(),
                    tool: tool__.unwrap_or_default(),
                    ok: ok__.unwrap_or_default(),
                    result: result__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("vyre.stream.v1.ThreadToolFinished", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for ThreadToolProgress {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.call.is_empty() {
            len += 1;
        }
        if !self.text.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("vyre.stream.v1.ThreadToolProgress", len)?;
        if !self.call.is_empty() {
            struct_ser.serialize_field("call", &self.call)?;
        }
        if !self.text.is_empty() {
            struct_ser.serialize_field("text", &self.text)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for ThreadToolProgress {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "call",
            "text",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Call,
            Text,
            __SkipField__,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "call" => Ok(GeneratedField::Call),
                            "text" => Ok(GeneratedField::Text),
                            _ => Ok(GeneratedField::__SkipField__),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = ThreadToolProgress;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct vyre.stream.v1.ThreadToolProgress")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<ThreadToolProgress, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut call__ = None;
                let mut text__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Call => {
                            if call__.is_some() {
                                return Err(serde::de::Error::duplicate_field("call"));
                            }
                            call__ = Some(map_.next_value()?);
                        }
                        GeneratedField::Text => {
                            if text__.is_some() {
                                return Err(serde::de::Error::duplicate_field("text"));
                            }
                            text__ = Some(map_.next_value()?);
                        }
                        GeneratedField::__SkipField__ => {
                            let _ = map_.next_value::<serde::de::IgnoredAny>()?;
                        }
                    }
                }
                Ok(ThreadToolProgress {
                    call: call__.unwrap_or_default(),
                    text: text__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("vyre.stream.v1.ThreadToolProgress", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for ThreadToolStarted {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.call.is_empty() {
            len += 1;
        }
        if !self.tool.is_empty() {
            len += 1;
        }
        if !self.title.is_empty() {
            len += 1;
        }
        if !self.input.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("vyre.stream.v1.ThreadToolStarted", len)?;
        if !self.call.is_empty() {
            struct_ser.serialize_field("call", &self.call)?;
        }
        if !self.tool.is_empty() {
            struct_ser.serialize_field("tool", &self.tool)?;
        }
        if !self.title.is_empty() {
            struct_ser.serialize_field("title", &self.title)?;
        }
        if !self.input.is_empty() {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("input", pbjson::private::base64::encode(&self.input).as_str())?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for ThreadToolStarted {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "call",
            "tool",
            "title",
            "input",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Call,
            Tool,
            Title,
            Input,
            __SkipField__,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "call" => Ok(GeneratedField::Call),
                            "tool" => Ok(GeneratedField::Tool),
                            "title" => Ok(GeneratedField::Title),
                            "input" => Ok(GeneratedField::Input),
                            _ => Ok(GeneratedField::__SkipField__),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = ThreadToolStarted;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct vyre.stream.v1.ThreadToolStarted")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<ThreadToolStarted, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut call__ = None;
                let mut tool__ = None;
                let mut title__ = None;
                let mut input__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Call => {
                            if call__.is_some() {
                                return Err(serde::de::Error::duplicate_field("call"));
                            }
                            call__ = Some(map_.next_value()?);
                        }
                        GeneratedField::Tool => {
                            if tool__.is_some() {
                                return Err(serde::de::Error::duplicate_field("tool"));
                            }
                            tool__ = Some(map_.next_value()?);
                        }
                        GeneratedField::Title => {
                            if title__.is_some() {
                                return Err(serde::de::Error::duplicate_field("title"));
                            }
                            title__ = Some(map_.next_value()?);
                        }
                        GeneratedField::Input => {
                            if input__.is_some() {
                                return Err(serde::de::Error::duplicate_field("input"));
                            }
                            input__ = 
                                Some(map_.next_value::<::pbjson::private::BytesDeserialize<_>>()?.0)
                            ;
                        }
                        GeneratedField::__SkipField__ => {
                            let _ = map_.next_value::<serde::de::IgnoredAny>()?;
                        }
                    }
                }
                Ok(ThreadToolStarted {
                    call: call__.unwrap_or_default(),
                    tool: tool__.unwrap_or_default(),
                    title: title__.unwrap_or_default(),
                    input: input__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("vyre.stream.v1.ThreadToolStarted", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for ThreadUnqueued {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.message.is_empty() {
            len += 1;
        }
        if !self.via.is_empty() {
            len += 1;
        }
        if !self.text.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("vyre.stream.v1.ThreadUnqueued", len)?;
        if !self.message.is_empty() {
            struct_ser.serialize_field("message", &self.message)?;
        }
        if !self.via.is_empty() {
            struct_ser.serialize_field("via", &self.via)?;
        }
        if !self.text.is_empty() {
            struct_ser.serialize_field("text", &self.text)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for ThreadUnqueued {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "message",
            "via",
            "text",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Message,
            Via,
            Text,
            __SkipField__,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "message" => Ok(GeneratedField::Message),
                            "via" => Ok(GeneratedField::Via),
                            "text" => Ok(GeneratedField::Text),
                            _ => Ok(GeneratedField::__SkipField__),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = ThreadUnqueued;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct vyre.stream.v1.ThreadUnqueued")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<ThreadUnqueued, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut message__ = None;
                let mut via__ = None;
                let mut text__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Message => {
                            if message__.is_some() {
                                return Err(serde::de::Error::duplicate_field("message"));
                            }
                            message__ = Some(map_.next_value()?);
                        }
                        GeneratedField::Via => {
                            if via__.is_some() {
                                return Err(serde::de::Error::duplicate_field("via"));
                            }
                            via__ = Some(map_.next_value()?);
                        }
                        GeneratedField::Text => {
                            if text__.is_some() {
                                return Err(serde::de::Error::duplicate_field("text"));
                            }
                            text__ = Some(map_.next_value()?);
                        }
                        GeneratedField::__SkipField__ => {
                            let _ = map_.next_value::<serde::de::IgnoredAny>()?;
                        }
                    }
                }
                Ok(ThreadUnqueued {
                    message: message__.unwrap_or_default(),
                    via: via__.unwrap_or_default(),
                    text: text__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("vyre.stream.v1.ThreadUnqueued", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for ThreadUser {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.message.is_empty() {
            len += 1;
        }
        if !self.text.is_empty() {
            len += 1;
        }
        if self.enc.is_some() {
            len += 1;
        }
        if !self.parent.is_empty() {
            len += 1;
        }
        if !self.mentions.is_empty() {
            len += 1;
        }
        if !self.to.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("vyre.stream.v1.ThreadUser", len)?;
        if !self.message.is_empty() {
            struct_ser.serialize_field("message", &self.message)?;
        }
        if !self.text.is_empty() {
            struct_ser.serialize_field("text", &self.text)?;
        }
        if let Some(v) = self.enc.as_ref() {
            struct_ser.serialize_field("enc", v)?;
        }
        if !self.parent.is_empty() {
            struct_ser.serialize_field("parent", &self.parent)?;
        }
        if !self.mentions.is_empty() {
            struct_ser.serialize_field("mentions", &self.mentions)?;
        }
        if !self.to.is_empty() {
            struct_ser.serialize_field("to", &self.to)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for ThreadUser {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "message",
            "text",
            "enc",
            "parent",
            "mentions",
            "to",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Message,
            Text,
            Enc,
            Parent,
            Mentions,
            To,
            __SkipField__,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "message" => Ok(GeneratedField::Message),
                            "text" => Ok(GeneratedField::Text),
                            "enc" => Ok(GeneratedField::Enc),
                            "parent" => Ok(GeneratedField::Parent),
                            "mentions" => Ok(GeneratedField::Mentions),
                            "to" => Ok(GeneratedField::To),
                            _ => Ok(GeneratedField::__SkipField__),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = ThreadUser;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct vyre.stream.v1.ThreadUser")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<ThreadUser, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut message__ = None;
                let mut text__ = None;
                let mut enc__ = None;
                let mut parent__ = None;
                let mut mentions__ = None;
                let mut to__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Message => {
                            if message__.is_some() {
                                return Err(serde::de::Error::duplicate_field("message"));
                            }
                            message__ = Some(map_.next_value()?);
                        }
                        GeneratedField::Text => {
                            if text__.is_some() {
                                return Err(serde::de::Error::duplicate_field("text"));
                            }
                            text__ = Some(map_.next_value()?);
                        }
                        GeneratedField::Enc => {
                            if enc__.is_some() {
                                return Err(serde::de::Error::duplicate_field("enc"));
                            }
                            enc__ = map_.next_value()?;
                        }
                        GeneratedField::Parent => {
                            if parent__.is_some() {
                                return Err(serde::de::Error::duplicate_field("parent"));
                            }
                            parent__ = Some(map_.next_value()?);
                        }
                        GeneratedField::Mentions => {
                            if mentions__.is_some() {
                                return Err(serde::de::Error::duplicate_field("mentions"));
                            }
                            mentions__ = Some(map_.next_value()?);
                        }
                        GeneratedField::To => {
                            if to__.is_some() {
                                return Err(serde::de::Error::duplicate_field("to"));
                            }
                            to__ = Some(map_.next_value()?);
                        }
                        GeneratedField::__SkipField__ => {
                            let _ = map_.next_value::<serde::de::IgnoredAny>()?;
                        }
                    }
                }
                Ok(ThreadUser {
                    message: message__.unwrap_or_default(),
                    text: text__.unwrap_or_default(),
                    enc: enc__,
                    parent: parent__.unwrap_or_default(),
                    mentions: mentions__.unwrap_or_default(),
                    to: to__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("vyre.stream.v1.ThreadUser", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for ThreadsAnswer {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.session.is_empty() {
            len += 1;
        }
        if !self.message.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("vyre.stream.v1.ThreadsAnswer", len)?;
        if !self.session.is_empty() {
            struct_ser.serialize_field("session", &self.session)?;
        }
        if !self.message.is_empty() {
            struct_ser.serialize_field("message", &self.message)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for ThreadsAnswer {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "session",
            "message",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Session,
            Message,
            __SkipField__,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "session" => Ok(GeneratedField::Session),
                            "message" => Ok(GeneratedField::Message),
                            _ => Ok(GeneratedField::__SkipField__),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = ThreadsAnswer;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct vyre.stream.v1.ThreadsAnswer")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<ThreadsAnswer, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut session__ = None;
                let mut message__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Session => {
                            if session__.is_some() {
                                return Err(serde::de::Error::duplicate_field("session"));
                            }
                            session__ = Some(map_.next_value()?);
                        }
                        GeneratedField::Message => {
                            if message__.is_some() {
                                return Err(serde::de::Error::duplicate_field("message"));
                            }
                            message__ = Some(map_.next_value()?);
                        }
                        GeneratedField::__SkipField__ => {
                            let _ = map_.next_value::<serde::de::IgnoredAny>()?;
                        }
                    }
                }
                Ok(ThreadsAnswer {
                    session: session__.unwrap_or_default(),
                    message: message__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("vyre.stream.v1.ThreadsAnswer", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for ThreadsBranch {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.session.is_empty() {
            len += 1;
        }
        if !self.message.is_empty() {
            len += 1;
        }
        if !self.title.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("vyre.stream.v1.ThreadsBranch", len)?;
        if !self.session.is_empty() {
            struct_ser.serialize_field("session", &self.session)?;
        }
        if !self.message.is_empty() {
            struct_ser.serialize_field("message", &self.message)?;
        }
        if !self.title.is_empty() {
            struct_ser.serialize_field("title", &self.title)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for ThreadsBranch {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "session",
            "message",
            "title",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Session,
            Message,
            Title,
            __SkipField__,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "session" => Ok(GeneratedField::Session),
                            "message" => Ok(GeneratedField::Message),
                            "title" => Ok(GeneratedField::Title),
                            _ => Ok(GeneratedField::__SkipField__),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = ThreadsBranch;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct vyre.stream.v1.ThreadsBranch")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<ThreadsBranch, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut session__ = None;
                let mut message__ = None;
                let mut title__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Session => {
                            if session__.is_some() {
                                return Err(serde::de::Error::duplicate_field("session"));
                            }
                            session__ = Some(map_.next_value()?);
                        }
                        GeneratedField::Message => {
                            if message__.is_some() {
                                return Err(serde::de::Error::duplicate_field("message"));
                            }
                            message__ = Some(map_.next_value()?);
                        }
                        GeneratedField::Title => {
                            if title__.is_some() {
                                return Err(serde::de::Error::duplicate_field("title"));
                            }
                            title__ = Some(map_.next_value()?);
                        }
                        GeneratedField::__SkipField__ => {
                            let _ = map_.next_value::<serde::de::IgnoredAny>()?;
                        }
                    }
                }
                Ok(ThreadsBranch {
                    session: session__.unwrap_or_default(),
                    message: message__.unwrap_or_default(),
                    title: title__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("vyre.stream.v1.ThreadsBranch", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for ThreadsEditRetry {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.session.is_empty() {
            len += 1;
        }
        if !self.message.is_empty() {
            len += 1;
        }
        if !self.text.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("vyre.stream.v1.ThreadsEditRetry", len)?;
        if !self.session.is_empty() {
            struct_ser.serialize_field("session", &self.session)?;
        }
        if !self.message.is_empty() {
            struct_ser.serialize_field("message", &self.message)?;
        }
        if !self.text.is_empty() {
            struct_ser.serialize_field("text", &self.text)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for ThreadsEditRetry {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "session",
            "message",
            "text",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Session,
            Message,
            Text,
            __SkipField__,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "session" => Ok(GeneratedField::Session),
                            "message" => Ok(GeneratedField::Message),
                            "text" => Ok(GeneratedField::Text),
                            _ => Ok(GeneratedField::__SkipField__),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = ThreadsEditRetry;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct vyre.stream.v1.ThreadsEditRetry")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<ThreadsEditRetry, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut session__ = None;
                let mut message__ = None;
                let mut text__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Session => {
                            if session__.is_some() {
                                return Err(serde::de::Error::duplicate_field("session"));
                            }
                            session__ = Some(map_.next_value()?);
                        }
                        GeneratedField::Message => {
                            if message__.is_some() {
                                return Err(serde::de::Error::duplicate_field("message"));
                            }
                            message__ = Some(map_.next_value()?);
                        }
                        GeneratedField::Text => {
                            if text__.is_some() {
                                return Err(serde::de::Error::duplicate_field("text"));
                            }
                            text__ = Some(map_.next_value()?);
                        }
                        GeneratedField::__SkipField__ => {
                            let _ = map_.next_value::<serde::de::IgnoredAny>()?;
                        }
                    }
                }
                Ok(ThreadsEditRetry {
                    session: session__.unwrap_or_default(),
                    message: message__.unwrap_or_default(),
                    text: text__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("vyre.stream.v1.ThreadsEditRetry", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for ThreadsRetry {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.session.is_empty() {
            len += 1;
        }
        if !self.message.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("vyre.stream.v1.ThreadsRetry", len)?;
        if !self.session.is_empty() {
            struct_ser.serialize_field("session", &self.session)?;
        }
        if !self.message.is_empty() {
            struct_ser.serialize_field("message", &self.message)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for ThreadsRetry {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "session",
            "message",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Session,
            Message,
            __SkipField__,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "session" => Ok(GeneratedField::Session),
                            "message" => Ok(GeneratedField::Message),
                            _ => Ok(GeneratedField::__SkipField__),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = ThreadsRetry;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct vyre.stream.v1.ThreadsRetry")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<ThreadsRetry, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut session__ = None;
                let mut message__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Session => {
                            if session__.is_some() {
                                return Err(serde::de::Error::duplicate_field("session"));
                            }
                            session__ = Some(map_.next_value()?);
                        }
                        GeneratedField::Message => {
                            if message__.is_some() {
                                return Err(serde::de::Error::duplicate_field("message"));
                            }
                            message__ = Some(map_.next_value()?);
                        }
                        GeneratedField::__SkipField__ => {
                            let _ = map_.next_value::<serde::de::IgnoredAny>()?;
                        }
                    }
                }
                Ok(ThreadsRetry {
                    session: session__.unwrap_or_default(),
                    message: message__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("vyre.stream.v1.ThreadsRetry", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for ToolFinished {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.call.is_empty() {
            len += 1;
        }
        if !self.tool.is_empty() {
            len += 1;
        }
        if self.ok {
            len += 1;
        }
        if self.block.is_some() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("vyre.stream.v1.ToolFinished", len)?;
        if !self.call.is_empty() {
            struct_ser.serialize_field("call", &self.call)?;
        }
        if !self.tool.is_empty() {
            struct_ser.serialize_field("tool", &self.tool)?;
        }
        if self.ok {
            struct_ser.serialize_field("ok", &self.ok)?;
        }
        if let Some(v) = self.block.as_ref() {
            struct_ser.serialize_field("block", v)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for ToolFinished {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "call",
            "tool",
            "ok",
            "block",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Call,
            Tool,
            Ok,
            Block,
            __SkipField__,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "call" => Ok(GeneratedField::Call),
                            "tool" => Ok(GeneratedField::Tool),
                            "ok" => Ok(GeneratedField::Ok),
                            "block" => Ok(GeneratedField::Block),
                            _ => Ok(GeneratedField::__SkipField__),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = ToolFinished;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct vyre.stream.v1.ToolFinished")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<ToolFinished, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut call__ = None;
                let mut tool__ = None;
                let mut ok__ = None;
                let mut block__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Call => {
                            if call__.is_some() {
                                return Err(serde::de::Error::duplicate_field("call"));
                            }
                            call__ = Some(map_.next_value()?);
                        }
                        GeneratedField::Tool => {
                            if tool__.is_some() {
                                return Err(serde::de::Error::duplicate_field("tool"));
                            }
                            tool__ = Some(map_.next_value()?);
                        }
                        GeneratedField::Ok => {
                            if ok__.is_some() {
                                return Err(serde::de::Error::duplicate_field("ok"));
                            }
                            ok__ = Some(map_.next_value()?);
                        }
                        GeneratedField::Block => {
                            if block__.is_some() {
                                return Err(serde::de::Error::duplicate_field("block"));
                            }
                            block__ = map_.next_value()?;
                        }
                        GeneratedField::__SkipField__ => {
                            let _ = map_.next_value::<serde::de::IgnoredAny>()?;
                        }
                    }
                }
                Ok(ToolFinished {
                    call: call__.unwrap_or_default(),
                    tool: tool__.unwrap_or_default(),
                    ok: ok__.unwrap_or_default(),
                    block: block__,
                })
            }
        }
        deserializer.deserialize_struct("vyre.stream.v1.ToolFinished", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for ToolProgress {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.call.is_empty() {
            len += 1;
        }
        if self.at != 0 {
            len += 1;
        }
        if !self.text.is_empty() {
            len += 1;
        }
        if !self.parts.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("vyre.stream.v1.ToolProgress", len)?;
        if !self.call.is_empty() {
            struct_ser.serialize_field("call", &self.call)?;
        }
        if self.at != 0 {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("at", ToString::to_string(&self.at).as_str())?;
        }
        if !self.text.is_empty() {
            struct_ser.serialize_field("text", &self.text)?;
        }
        if !self.parts.is_empty() {
            struct_ser.serialize_field("parts", &self.parts)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for ToolProgress {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "call",
            "at",
            "text",
            "parts",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Call,
            At,
            Text,
            Parts,
            __SkipField__,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "call" => Ok(GeneratedField::Call),
                            "at" => Ok(GeneratedField::At),
                            "text" => Ok(GeneratedField::Text),
                            "parts" => Ok(GeneratedField::Parts),
                            _ => Ok(GeneratedField::__SkipField__),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = ToolProgress;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct vyre.stream.v1.ToolProgress")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<ToolProgress, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut call__ = None;
                let mut at__ = None;
                let mut text__ = None;
                let mut parts__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Call => {
                            if call__.is_some() {
                                return Err(serde::de::Error::duplicate_field("call"));
                            }
                            call__ = Some(map_.next_value()?);
                        }
                        GeneratedField::At => {
                            if at__.is_some() {
                                return Err(serde::de::Error::duplicate_field("at"));
                            }
                            at__ = 
                                Some(map_.next_value::<::pbjson::private::NumberDeserialize<_>>()?.0)
                            ;
                        }
                        GeneratedField::Text => {
                            if text__.is_some() {
                                return Err(serde::de::Error::duplicate_field("text"));
                            }
                            text__ = Some(map_.next_value()?);
                        }
                        GeneratedField::Parts => {
                            if parts__.is_some() {
                                return Err(serde::de::Error::duplicate_field("parts"));
                            }
                            parts__ = Some(map_.next_value()?);
                        }
                        GeneratedField::__SkipField__ => {
                            let _ = map_.next_value::<serde::de::IgnoredAny>()?;
                        }
                    }
                }
                Ok(ToolProgress {
                    call: call__.unwrap_or_default(),
                    at: at__.unwrap_or_default(),
                    text: text__.unwrap_or_default(),
                    parts: parts__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("vyre.stream.v1.ToolProgress", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for ToolStarted {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.call.is_empty() {
            len += 1;
        }
        if !self.tool.is_empty() {
            len += 1;
        }
        if !self.title.is_empty() {
            len += 1;
        }
        if self.block.is_some() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("vyre.stream.v1.ToolStarted", len)?;
        if !self.call.is_empty() {
            struct_ser.serialize_field("call", &self.call)?;
        }
        if !self.tool.is_empty() {
            struct_ser.serialize_field("tool", &self.tool)?;
        }
        if !self.title.is_empty() {
            struct_ser.serialize_field("title", &self.title)?;
        }
        if let Some(v) = self.block.as_ref() {
            struct_ser.serialize_field("block", v)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for ToolStarted {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "call",
            "tool",
            "title",
            "block",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Call,
            Tool,
            Title,
            Block,
            __SkipField__,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "call" => Ok(GeneratedField::Call),
                            "tool" => Ok(GeneratedField::Tool),
                            "title" => Ok(GeneratedField::Title),
                            "block" => Ok(GeneratedField::Block),
                            _ => Ok(GeneratedField::__SkipField__),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = ToolStarted;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct vyre.stream.v1.ToolStarted")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<ToolStarted, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut call__ = None;
                let mut tool__ = None;
                let mut title__ = None;
                let mut block__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Call => {
                            if call__.is_some() {
                                return Err(serde::de::Error::duplicate_field("call"));
                            }
                            call__ = Some(map_.next_value()?);
                        }
                        GeneratedField::Tool => {
                            if tool__.is_some() {
                                return Err(serde::de::Error::duplicate_field("tool"));
                            }
                            tool__ = Some(map_.next_value()?);
                        }
                        GeneratedField::Title => {
                            if title__.is_some() {
                                return Err(serde::de::Error::duplicate_field("title"));
                            }
                            title__ = Some(map_.next_value()?);
                        }
                        GeneratedField::Block => {
                            if block__.is_some() {
                                return Err(serde::de::Error::duplicate_field("block"));
                            }
                            block__ = map_.next_value()?;
                        }
                        GeneratedField::__SkipField__ => {
                            let _ = map_.next_value::<serde::de::IgnoredAny>()?;
                        }
                    }
                }
                Ok(ToolStarted {
                    call: call__.unwrap_or_default(),
                    tool: tool__.unwrap_or_default(),
                    title: title__.unwrap_or_default(),
                    block: block__,
                })
            }
        }
        deserializer.deserialize_struct("vyre.stream.v1.ToolStarted", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for UserMessage {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if !self.text.is_empty() {
            len += 1;
        }
        if self.enc.is_some() {
            len += 1;
        }
        if self.state != 0 {
            len += 1;
        }
        if !self.mentions.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("vyre.stream.v1.UserMessage", len)?;
        if !self.text.is_empty() {
            struct_ser.serialize_field("text", &self.text)?;
        }
        if let Some(v) = self.enc.as_ref() {
            struct_ser.serialize_field("enc", v)?;
        }
        if self.state != 0 {
            let v = UserState::try_from(self.state)
                .map_err(|_| serde::ser::Error::custom(format!("Invalid variant {}", self.state)))?;
            struct_ser.serialize_field("state", &v)?;
        }
        if !self.mentions.is_empty() {
            struct_ser.serialize_field("mentions", &self.mentions)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for UserMessage {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "text",
            "enc",
            "state",
            "mentions",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Text,
            Enc,
            State,
            Mentions,
            __SkipField__,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "text" => Ok(GeneratedField::Text),
                            "enc" => Ok(GeneratedField::Enc),
                            "state" => Ok(GeneratedField::State),
                            "mentions" => Ok(GeneratedField::Mentions),
                            _ => Ok(GeneratedField::__SkipField__),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = UserMessage;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct vyre.stream.v1.UserMessage")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<UserMessage, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut text__ = None;
                let mut enc__ = None;
                let mut state__ = None;
                let mut mentions__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Text => {
                            if text__.is_some() {
                                return Err(serde::de::Error::duplicate_field("text"));
                            }
                            text__ = Some(map_.next_value()?);
                        }
                        GeneratedField::Enc => {
                            if enc__.is_some() {
                                return Err(serde::de::Error::duplicate_field("enc"));
                            }
                            enc__ = map_.next_value()?;
                        }
                        GeneratedField::State => {
                            if state__.is_some() {
                                return Err(serde::de::Error::duplicate_field("state"));
                            }
                            state__ = Some(map_.next_value::<UserState>()? as i32);
                        }
                        GeneratedField::Mentions => {
                            if mentions__.is_some() {
                                return Err(serde::de::Error::duplicate_field("mentions"));
                            }
                            mentions__ = Some(map_.next_value()?);
                        }
                        GeneratedField::__SkipField__ => {
                            let _ = map_.next_value::<serde::de::IgnoredAny>()?;
                        }
                    }
                }
                Ok(UserMessage {
                    text: text__.unwrap_or_default(),
                    enc: enc__,
                    state: state__.unwrap_or_default(),
                    mentions: mentions__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("vyre.stream.v1.UserMessage", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for UserState {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        let variant = match self {
            Self::Said => "USER_STATE_SAID",
            Self::Queued => "USER_STATE_QUEUED",
            Self::PickedUp => "USER_STATE_PICKED_UP",
            Self::Cancelled => "USER_STATE_CANCELLED",
        };
        serializer.serialize_str(variant)
    }
}
impl<'de> serde::Deserialize<'de> for UserState {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "USER_STATE_SAID",
            "USER_STATE_QUEUED",
            "USER_STATE_PICKED_UP",
            "USER_STATE_CANCELLED",
        ];

        struct GeneratedVisitor;

        impl serde::de::Visitor<'_> for GeneratedVisitor {
            type Value = UserState;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(formatter, "expected one of: {:?}", &FIELDS)
            }

            fn visit_i64<E>(self, v: i64) -> std::result::Result<Self::Value, E>
            where
                E: serde::de::Error,
            {
                i32::try_from(v)
                    .ok()
                    .and_then(|x| x.try_into().ok())
                    .ok_or_else(|| {
                        serde::de::Error::invalid_value(serde::de::Unexpected::Signed(v), &self)
                    })
            }

            fn visit_u64<E>(self, v: u64) -> std::result::Result<Self::Value, E>
            where
                E: serde::de::Error,
            {
                i32::try_from(v)
                    .ok()
                    .and_then(|x| x.try_into().ok())
                    .ok_or_else(|| {
                        serde::de::Error::invalid_value(serde::de::Unexpected::Unsigned(v), &self)
                    })
            }

            fn visit_str<E>(self, value: &str) -> std::result::Result<Self::Value, E>
            where
                E: serde::de::Error,
            {
                match value {
                    "USER_STATE_SAID" => Ok(UserState::Said),
                    "USER_STATE_QUEUED" => Ok(UserState::Queued),
                    "USER_STATE_PICKED_UP" => Ok(UserState::PickedUp),
                    "USER_STATE_CANCELLED" => Ok(UserState::Cancelled),
                    _ => Err(serde::de::Error::unknown_variant(value, FIELDS)),
                }
            }
        }
        deserializer.deserialize_any(GeneratedVisitor)
    }
}
