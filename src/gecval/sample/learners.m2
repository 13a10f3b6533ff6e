S Dear Mrs. Holloway , I am writing you for asking about the evening pottery course .
A 7 7|||M:PREP|||to|||REQUIRED|||-NONE-|||0
A 8 10|||R:VERB:FORM|||to ask|||REQUIRED|||-NONE-|||0
A 8 10|||R:VERB:FORM|||to ask|||REQUIRED|||-NONE-|||1
A 7 10|||R:OTHER|||to enquire|||REQUIRED|||-NONE-|||2

S My brother have worked in bakery since three years and he still love it .
A 2 3|||R:VERB:SVA|||has|||REQUIRED|||-NONE-|||0
A 5 5|||M:DET|||a|||REQUIRED|||-NONE-|||0
A 6 7|||R:PREP|||for|||REQUIRED|||-NONE-|||0
A 12 13|||R:VERB:SVA|||loves|||REQUIRED|||-NONE-|||0
A 2 4|||R:VERB:TENSE|||has been working|||REQUIRED|||-NONE-|||1
A 5 5|||M:DET|||a|||REQUIRED|||-NONE-|||1
A 6 7|||R:PREP|||for|||REQUIRED|||-NONE-|||1
A 9 9|||M:PUNCT|||,|||OPTIONAL|||-NONE-|||1
A 12 13|||R:VERB:SVA|||loves|||REQUIRED|||-NONE-|||1
A 2 3|||R:VERB:SVA|||has|||REQUIRED|||-NONE-|||2
A 4 5|||R:PREP|||at|||REQUIRED|||-NONE-|||2
A 5 5|||M:DET|||a|||REQUIRED|||-NONE-|||2
A 6 7|||R:PREP|||for|||REQUIRED|||-NONE-|||2
A 9 10|||R:OTHER|||now , and|||REQUIRED|||-NONE-|||2
A 12 13|||R:VERB:SVA|||loves|||REQUIRED|||-NONE-|||2

S When I opened the door , a big dog were standing in the kitchen and it looked to me .
A 9 10|||R:VERB:SVA|||was|||REQUIRED|||-NONE-|||0
A 17 18|||R:PREP|||at|||REQUIRED|||-NONE-|||0
A 9 10|||R:VERB:SVA|||was|||REQUIRED|||-NONE-|||1
A 14 18|||R:OTHER|||, looking at|||REQUIRED|||-NONE-|||1
A 7 8|||R:ADJ|||huge|||OPTIONAL|||-NONE-|||2
A 9 10|||R:VERB:SVA|||was|||REQUIRED|||-NONE-|||2
A 14 18|||R:OTHER|||, staring at|||REQUIRED|||-NONE-|||2

S I look forward to hear from you .
A 4 5|||R:VERB:FORM|||hearing|||REQUIRED|||-NONE-|||0
A 4 5|||R:VERB:FORM|||hearing|||REQUIRED|||-NONE-|||1
A 1 2|||R:VERB:TENSE|||am looking|||OPTIONAL|||-NONE-|||2
A 4 5|||R:VERB:FORM|||hearing|||REQUIRED|||-NONE-|||2

S In nowadays , the most of people prefers to buy their foods in supermarkets .
A 0 2|||R:ADV|||Nowadays|||REQUIRED|||-NONE-|||0
A 3 6|||R:DET|||most|||REQUIRED|||-NONE-|||0
A 7 8|||R:VERB:SVA|||prefer|||REQUIRED|||-NONE-|||0
A 11 12|||R:NOUN:NUM|||food|||REQUIRED|||-NONE-|||0
A 0 2|||R:OTHER|||These days||Nowadays|||REQUIRED|||-NONE-|||1
A 3 6|||R:DET|||most|||REQUIRED|||-NONE-|||1
A 7 8|||R:VERB:SVA|||prefer|||REQUIRED|||-NONE-|||1
A 0 6|||R:OTHER|||Today , most|||REQUIRED|||-NONE-|||2
A 7 14|||R:OTHER|||prefer to do their food shopping in supermarkets|||REQUIRED|||-NONE-|||2

S The train to the coast leaves at half past six every morning .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||2

S Yesterday I have seen an interesting documentry about whales on the television .
A 2 4|||R:VERB:TENSE|||saw|||REQUIRED|||-NONE-|||0
A 6 7|||R:SPELL|||documentary|||REQUIRED|||-NONE-|||0
A 10 11|||U:DET||||||REQUIRED|||-NONE-|||0
A 1 1|||M:PUNCT|||,|||OPTIONAL|||-NONE-|||1
A 2 4|||R:VERB|||watched||saw|||REQUIRED|||-NONE-|||1
A 6 7|||R:SPELL|||documentary|||REQUIRED|||-NONE-|||1
A 10 11|||U:DET||||||REQUIRED|||-NONE-|||1
A 1 1|||M:PUNCT|||,|||OPTIONAL|||-NONE-|||2
A 2 4|||R:VERB|||watched|||REQUIRED|||-NONE-|||2
A 4 7|||R:OTHER|||a fascinating documentary|||REQUIRED|||-NONE-|||2
A 10 12|||R:NOUN|||TV|||REQUIRED|||-NONE-|||2

S She suggested me to visit the museum what is near from the station .
A 2 5|||R:VERB:FORM|||visiting|||REQUIRED|||-NONE-|||0
A 7 8|||R:PRON|||that||which|||REQUIRED|||-NONE-|||0
A 10 11|||U:PREP||||||REQUIRED|||-NONE-|||0
A 2 4|||R:OTHER|||that I|||REQUIRED|||-NONE-|||1
A 7 8|||R:PRON|||which|||REQUIRED|||-NONE-|||1
A 10 11|||U:PREP||||||REQUIRED|||-NONE-|||1
A 2 4|||R:OTHER|||that I|||REQUIRED|||-NONE-|||2
A 7 11|||R:OTHER|||near|||REQUIRED|||-NONE-|||2

S Please find attach the report of the last week meeting .
A 2 3|||R:VERB:FORM|||attached|||REQUIRED|||-NONE-|||0
A 6 7|||U:DET||||||REQUIRED|||-NONE-|||0
A 8 9|||R:NOUN:POSS|||week 's|||REQUIRED|||-NONE-|||0
A 2 3|||R:VERB:FORM|||attached|||REQUIRED|||-NONE-|||1
A 5 6|||R:PREP|||on|||REQUIRED|||-NONE-|||1
A 6 9|||R:OTHER|||last week 's|||REQUIRED|||-NONE-|||1
A 2 3|||R:VERB:FORM|||attached|||REQUIRED|||-NONE-|||2
A 4 10|||R:OTHER|||minutes of last week 's meeting|||REQUIRED|||-NONE-|||2

S If I would have more free time , I will learn to play piano .
A 2 4|||R:VERB:TENSE|||had|||REQUIRED|||-NONE-|||0
A 9 10|||R:VERB:TENSE|||would|||REQUIRED|||-NONE-|||0
A 13 13|||M:DET|||the|||REQUIRED|||-NONE-|||0
A 2 4|||R:VERB:TENSE|||have|||REQUIRED|||-NONE-|||1
A 13 13|||M:DET|||the|||REQUIRED|||-NONE-|||1
A 2 4|||R:VERB:TENSE|||had|||REQUIRED|||-NONE-|||2
A 9 10|||R:VERB:TENSE|||would|||REQUIRED|||-NONE-|||2
A 11 13|||U:VERB||||||OPTIONAL|||-NONE-|||2
A 13 13|||M:DET|||the|||REQUIRED|||-NONE-|||2

S The experiment show that plants grows more fast when they recieve blue light .
A 2 3|||R:VERB:SVA|||shows|||REQUIRED|||-NONE-|||0
A 5 6|||R:VERB:SVA|||grow|||REQUIRED|||-NONE-|||0
A 6 8|||R:ADJ:FORM|||faster|||REQUIRED|||-NONE-|||0
A 10 11|||R:SPELL|||receive|||REQUIRED|||-NONE-|||0
A 2 3|||R:VERB:TENSE|||showed|||REQUIRED|||-NONE-|||1
A 5 6|||R:VERB:SVA|||grow|||REQUIRED|||-NONE-|||1
A 6 8|||R:OTHER|||more quickly||faster|||REQUIRED|||-NONE-|||1
A 10 11|||R:SPELL|||receive|||REQUIRED|||-NONE-|||1
A 2 3|||R:VERB:SVA|||shows|||REQUIRED|||-NONE-|||2
A 5 11|||R:OTHER|||grow faster under|||REQUIRED|||-NONE-|||2

S My grandmother was used to tell us a storys before we go to sleep .
A 2 3|||U:VERB:TENSE||||||REQUIRED|||-NONE-|||0
A 7 9|||R:NOUN:NUM|||a story||stories|||REQUIRED|||-NONE-|||0
A 11 12|||R:VERB:TENSE|||went|||REQUIRED|||-NONE-|||0
A 2 3|||U:VERB:TENSE||||||REQUIRED|||-NONE-|||1
A 7 8|||U:DET||||||REQUIRED|||-NONE-|||1
A 8 9|||R:NOUN:INFL|||stories|||REQUIRED|||-NONE-|||1
A 11 12|||R:VERB:TENSE|||went|||REQUIRED|||-NONE-|||1
A 2 5|||R:VERB:TENSE|||would|||REQUIRED|||-NONE-|||2
A 7 14|||R:OTHER|||bedtime stories|||REQUIRED|||-NONE-|||2

S Although the weather was bad , but we decided to go to hiking in the mountains .
A 6 7|||U:CONJ||||||REQUIRED|||-NONE-|||0
A 11 12|||U:PREP||||||REQUIRED|||-NONE-|||0
A 0 2|||R:OTHER|||The|||REQUIRED|||-NONE-|||1
A 11 12|||U:PREP||||||REQUIRED|||-NONE-|||1
A 0 7|||R:OTHER|||Despite the bad weather ,|||REQUIRED|||-NONE-|||2
A 11 13|||R:OTHER|||for a hike|||REQUIRED|||-NONE-|||2

S I am agree with people who says that mobile phones makes children less patients .
A 1 2|||U:VERB||||||REQUIRED|||-NONE-|||0
A 6 7|||R:VERB:SVA|||say|||REQUIRED|||-NONE-|||0
A 10 11|||R:VERB:SVA|||make|||REQUIRED|||-NONE-|||0
A 13 14|||R:MORPH|||patient|||REQUIRED|||-NONE-|||0
A 1 3|||R:VERB:FORM|||agree|||REQUIRED|||-NONE-|||1
A 6 7|||R:VERB:SVA|||say|||REQUIRED|||-NONE-|||1
A 7 8|||U:CONJ||||||OPTIONAL|||-NONE-|||1
A 10 11|||R:VERB:SVA|||make|||REQUIRED|||-NONE-|||1
A 13 14|||R:ADJ:FORM|||patient|||REQUIRED|||-NONE-|||1
A 1 3|||R:VERB:FORM|||agree|||REQUIRED|||-NONE-|||2
A 4 7|||R:OTHER|||those who say|||REQUIRED|||-NONE-|||2
A 10 14|||R:OTHER|||make children impatient|||REQUIRED|||-NONE-|||2

S Our teacher asked us to write about a place that we would never forget .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1
A 9 10|||U:PRON||||||OPTIONAL|||-NONE-|||2

S The informations in this leaflet are not enough clear for the tourists who comes from abroad .
A 1 2|||R:NOUN:INFL|||information|||REQUIRED|||-NONE-|||0
A 5 6|||R:VERB:SVA|||is|||REQUIRED|||-NONE-|||0
A 7 9|||R:WO|||clear enough|||REQUIRED|||-NONE-|||0
A 13 14|||R:VERB:SVA|||come|||REQUIRED|||-NONE-|||0
A 1 2|||R:NOUN:INFL|||information|||REQUIRED|||-NONE-|||1
A 5 6|||R:VERB:SVA|||is|||REQUIRED|||-NONE-|||1
A 7 9|||R:WO|||clear enough|||REQUIRED|||-NONE-|||1
A 10 11|||U:DET||||||REQUIRED|||-NONE-|||1
A 13 14|||R:VERB:SVA|||come|||REQUIRED|||-NONE-|||1
A 1 2|||R:NOUN:INFL|||information|||REQUIRED|||-NONE-|||2
A 5 9|||R:OTHER|||is not clear enough|||REQUIRED|||-NONE-|||2
A 10 16|||R:OTHER|||foreign tourists|||REQUIRED|||-NONE-|||2

S Could you explain me how does the new printer works ?
A 3 3|||M:PREP|||to|||REQUIRED|||-NONE-|||0
A 5 6|||U:VERB||||||REQUIRED|||-NONE-|||0
A 3 4|||U:PRON||||||REQUIRED|||-NONE-|||1
A 5 6|||U:VERB||||||REQUIRED|||-NONE-|||1
A 2 3|||R:VERB|||show|||REQUIRED|||-NONE-|||2
A 5 10|||R:OTHER|||to use the new printer|||REQUIRED|||-NONE-|||2

S Last summer , me and my cousins was camping besides a lake it was the best week of my life .
A 3 8|||R:OTHER|||my cousins and I were|||REQUIRED|||-NONE-|||0
A 9 10|||R:PREP|||beside|||REQUIRED|||-NONE-|||0
A 12 12|||M:PUNCT|||.|||REQUIRED|||-NONE-|||0
A 12 13|||R:ORTH|||It|||REQUIRED|||-NONE-|||0
A 7 8|||R:VERB:SVA|||were|||REQUIRED|||-NONE-|||1
A 9 10|||R:PREP|||by||beside|||REQUIRED|||-NONE-|||1
A 12 12|||M:PUNCT|||;|||REQUIRED|||-NONE-|||1
A 3 10|||R:OTHER|||my cousins and I went camping by|||REQUIRED|||-NONE-|||2
A 12 13|||R:OTHER|||, and it|||REQUIRED|||-NONE-|||2

S He is the more intelligent student of our class , but he never make his homeworks .
A 3 4|||R:ADJ:FORM|||most|||REQUIRED|||-NONE-|||0
A 6 7|||R:PREP|||in|||REQUIRED|||-NONE-|||0
A 13 14|||R:VERB|||does|||REQUIRED|||-NONE-|||0
A 15 16|||R:NOUN:INFL|||homework|||REQUIRED|||-NONE-|||0
A 3 4|||R:ADJ:FORM|||most|||REQUIRED|||-NONE-|||1
A 13 14|||R:VERB|||does|||REQUIRED|||-NONE-|||1
A 15 16|||R:NOUN:INFL|||homework|||REQUIRED|||-NONE-|||1
A 3 8|||R:OTHER|||brightest student in the|||REQUIRED|||-NONE-|||2
A 13 16|||R:OTHER|||does his homework|||REQUIRED|||-NONE-|||2

S Pollution is a problem very serious in my city because there is too much cars .
A 3 6|||R:WO|||very serious problem|||REQUIRED|||-NONE-|||0
A 11 12|||R:VERB:SVA|||are|||REQUIRED|||-NONE-|||0
A 13 14|||R:ADJ|||many|||REQUIRED|||-NONE-|||0
A 3 6|||R:WO|||very serious problem|||REQUIRED|||-NONE-|||1
A 11 14|||R:OTHER|||are too many|||REQUIRED|||-NONE-|||1
A 3 6|||R:WO|||very serious problem|||REQUIRED|||-NONE-|||2
A 10 15|||R:OTHER|||of the large number of cars|||REQUIRED|||-NONE-|||2

S I have been born in a small village in north of Portugal .
A 1 3|||R:VERB:TENSE|||was|||REQUIRED|||-NONE-|||0
A 9 9|||M:DET|||the|||REQUIRED|||-NONE-|||0
A 1 3|||R:VERB:TENSE|||was|||REQUIRED|||-NONE-|||1
A 9 11|||R:OTHER|||northern|||REQUIRED|||-NONE-|||1
A 1 5|||R:OTHER|||come from|||REQUIRED|||-NONE-|||2
A 9 9|||M:DET|||the|||REQUIRED|||-NONE-|||2

S We need discuss about the budget before to sign the contract with new supplier .
A 2 2|||M:PART|||to|||REQUIRED|||-NONE-|||0
A 3 4|||U:PREP||||||REQUIRED|||-NONE-|||0
A 7 9|||R:VERB:FORM|||signing|||REQUIRED|||-NONE-|||0
A 12 12|||M:DET|||the|||REQUIRED|||-NONE-|||0
A 2 2|||M:PART|||to|||REQUIRED|||-NONE-|||1
A 3 4|||U:PREP||||||REQUIRED|||-NONE-|||1
A 7 9|||R:VERB:FORM|||signing|||REQUIRED|||-NONE-|||1
A 12 12|||M:DET|||a||our|||REQUIRED|||-NONE-|||1
A 2 4|||R:VERB:FORM|||to discuss|||REQUIRED|||-NONE-|||2
A 7 8|||R:PRON|||we|||REQUIRED|||-NONE-|||2
A 12 12|||M:DET|||our|||REQUIRED|||-NONE-|||2

S The water boil at lower temperature when you are on the top of a mountain because of air pressure is lower .
A 0 3|||R:OTHER|||Water boils|||REQUIRED|||-NONE-|||0
A 4 4|||M:DET|||a|||REQUIRED|||-NONE-|||0
A 10 11|||U:DET||||||OPTIONAL|||-NONE-|||0
A 16 17|||U:PREP||||||REQUIRED|||-NONE-|||0
A 0 2|||R:OTHER|||Water|||REQUIRED|||-NONE-|||1
A 2 3|||R:VERB:SVA|||boils|||REQUIRED|||-NONE-|||1
A 4 4|||M:DET|||a|||REQUIRED|||-NONE-|||1
A 9 10|||R:PREP|||at|||REQUIRED|||-NONE-|||1
A 16 17|||R:OTHER|||the|||REQUIRED|||-NONE-|||1
A 0 3|||R:OTHER|||Water boils|||REQUIRED|||-NONE-|||2
A 4 4|||M:DET|||a|||REQUIRED|||-NONE-|||2
A 6 21|||R:OTHER|||on a mountaintop because of the lower air pressure|||REQUIRED|||-NONE-|||2

S Thank you for your help with the conference last week .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1
A 3 3|||M:DET|||all|||OPTIONAL|||-NONE-|||2

S Many student choose to study in abroad because they want improve they english .
A 1 2|||R:NOUN:NUM|||students|||REQUIRED|||-NONE-|||0
A 5 6|||U:PREP||||||REQUIRED|||-NONE-|||0
A 10 10|||M:PART|||to|||REQUIRED|||-NONE-|||0
A 11 12|||R:DET|||their|||REQUIRED|||-NONE-|||0
A 12 13|||R:ORTH|||English|||REQUIRED|||-NONE-|||0
A 1 2|||R:NOUN:NUM|||students|||REQUIRED|||-NONE-|||1
A 5 6|||U:PREP||||||REQUIRED|||-NONE-|||1
A 10 10|||M:PART|||to|||REQUIRED|||-NONE-|||1
A 11 12|||R:DET|||their|||REQUIRED|||-NONE-|||1
A 12 13|||R:ORTH|||English|||REQUIRED|||-NONE-|||1
A 1 2|||R:NOUN:NUM|||students|||REQUIRED|||-NONE-|||2
A 5 13|||R:OTHER|||abroad to improve their English|||REQUIRED|||-NONE-|||2

S It was raining heavy so that we stayed in home and played to cards all the afternoon .
A 3 4|||R:ADV|||heavily|||REQUIRED|||-NONE-|||0
A 4 4|||M:PUNCT|||,|||REQUIRED|||-NONE-|||0
A 5 6|||U:CONJ||||||REQUIRED|||-NONE-|||0
A 8 9|||R:PREP|||at|||REQUIRED|||-NONE-|||0
A 12 13|||U:PREP||||||REQUIRED|||-NONE-|||0
A 15 16|||U:DET||||||REQUIRED|||-NONE-|||0
A 3 4|||R:ADV|||heavily|||REQUIRED|||-NONE-|||1
A 5 6|||U:CONJ||||||REQUIRED|||-NONE-|||1
A 8 9|||R:PREP|||at|||REQUIRED|||-NONE-|||1
A 12 13|||U:PREP||||||REQUIRED|||-NONE-|||1
A 15 16|||U:DET||||||REQUIRED|||-NONE-|||1
A 3 10|||R:OTHER|||so heavily that we stayed in|||REQUIRED|||-NONE-|||2
A 11 17|||R:OTHER|||spent the afternoon playing cards|||REQUIRED|||-NONE-|||2

S I did not knew that the shop closes at sundays .
A 3 4|||R:VERB:FORM|||know|||REQUIRED|||-NONE-|||0
A 7 8|||R:VERB:TENSE|||closed||was closed|||REQUIRED|||-NONE-|||0
A 8 10|||R:OTHER|||on Sundays|||REQUIRED|||-NONE-|||0
A 3 4|||R:VERB:FORM|||know|||REQUIRED|||-NONE-|||1
A 8 9|||R:PREP|||on|||REQUIRED|||-NONE-|||1
A 9 10|||R:ORTH|||Sundays|||REQUIRED|||-NONE-|||1
A 3 4|||R:VERB:FORM|||know|||REQUIRED|||-NONE-|||2
A 4 5|||U:CONJ||||||OPTIONAL|||-NONE-|||2
A 7 10|||R:OTHER|||was closed on Sundays|||REQUIRED|||-NONE-|||2

S The goverment should to invest more money for public transport instead of build new roads .
A 1 2|||R:SPELL|||government|||REQUIRED|||-NONE-|||0
A 3 4|||U:PART||||||REQUIRED|||-NONE-|||0
A 7 8|||R:PREP|||in|||REQUIRED|||-NONE-|||0
A 12 13|||R:VERB:FORM|||building|||REQUIRED|||-NONE-|||0
A 1 2|||R:SPELL|||government|||REQUIRED|||-NONE-|||1
A 2 4|||R:VERB:FORM|||should|||REQUIRED|||-NONE-|||1
A 7 8|||R:PREP|||in|||REQUIRED|||-NONE-|||1
A 12 13|||R:VERB:FORM|||building|||REQUIRED|||-NONE-|||1
A 1 8|||R:OTHER|||government should spend more on|||REQUIRED|||-NONE-|||2
A 10 15|||R:OTHER|||and less on new roads|||REQUIRED|||-NONE-|||2

S One of my favourite film is about an old fisherman which lives alone with a cat and a radio broken .
A 4 5|||R:NOUN:NUM|||films|||REQUIRED|||-NONE-|||0
A 10 11|||R:PRON|||who|||REQUIRED|||-NONE-|||0
A 18 20|||R:WO|||broken radio|||REQUIRED|||-NONE-|||0
A 4 5|||R:NOUN:NUM|||films|||REQUIRED|||-NONE-|||1
A 10 11|||R:PRON|||that||who|||REQUIRED|||-NONE-|||1
A 18 20|||R:WO|||broken radio|||REQUIRED|||-NONE-|||1
A 4 7|||R:OTHER|||films tells the story of|||REQUIRED|||-NONE-|||2
A 10 12|||R:OTHER|||living|||REQUIRED|||-NONE-|||2
A 18 20|||R:WO|||broken radio|||REQUIRED|||-NONE-|||2

S Sorry for answering so lately , I was very busy in these days .
A 4 5|||R:ADV|||late|||REQUIRED|||-NONE-|||0
A 5 6|||R:PUNCT|||.|||REQUIRED|||-NONE-|||0
A 7 8|||R:VERB:TENSE|||have been|||REQUIRED|||-NONE-|||0
A 10 11|||U:PREP||||||REQUIRED|||-NONE-|||0
A 4 5|||R:ADV|||late|||REQUIRED|||-NONE-|||1
A 5 6|||R:PUNCT|||;|||REQUIRED|||-NONE-|||1
A 7 8|||R:VERB:TENSE|||have been|||REQUIRED|||-NONE-|||1
A 10 11|||U:PREP||||||REQUIRED|||-NONE-|||1
A 0 5|||R:OTHER|||I am sorry for the late reply|||REQUIRED|||-NONE-|||2
A 5 8|||R:OTHER|||; I have been|||REQUIRED|||-NONE-|||2
A 10 13|||R:OTHER|||recently||lately|||REQUIRED|||-NONE-|||2

S There is many reasons why the young people leaves the countryside and moves to big cities .
A 1 2|||R:VERB:SVA|||are|||REQUIRED|||-NONE-|||0
A 5 6|||U:DET||||||REQUIRED|||-NONE-|||0
A 8 9|||R:VERB:SVA|||leave|||REQUIRED|||-NONE-|||0
A 12 13|||R:VERB:SVA|||move|||REQUIRED|||-NONE-|||0
A 1 2|||R:VERB:SVA|||are|||REQUIRED|||-NONE-|||1
A 5 9|||R:OTHER|||young people leave|||REQUIRED|||-NONE-|||1
A 12 13|||R:VERB:SVA|||move|||REQUIRED|||-NONE-|||1
A 1 2|||R:VERB:SVA|||are|||REQUIRED|||-NONE-|||2
A 5 6|||U:DET||||||REQUIRED|||-NONE-|||2
A 8 13|||R:OTHER|||are leaving the countryside and moving|||REQUIRED|||-NONE-|||2
A 14 14|||M:DET|||the|||OPTIONAL|||-NONE-|||2

S After he had ate the soup , the giant fell sleep under the tree and start to snore loudly .
A 3 4|||R:VERB:FORM|||eaten|||REQUIRED|||-NONE-|||0
A 10 11|||R:ADJ|||asleep|||REQUIRED|||-NONE-|||0
A 15 16|||R:VERB:TENSE|||started|||REQUIRED|||-NONE-|||0
A 3 4|||R:VERB:FORM|||eaten|||REQUIRED|||-NONE-|||1
A 10 11|||R:ADJ|||asleep|||REQUIRED|||-NONE-|||1
A 15 18|||R:OTHER|||started snoring|||REQUIRED|||-NONE-|||1
A 1 4|||R:OTHER|||eating|||REQUIRED|||-NONE-|||2
A 10 11|||R:ADJ|||asleep|||REQUIRED|||-NONE-|||2
A 15 18|||R:OTHER|||began snoring|||REQUIRED|||-NONE-|||2

S Sleep helps the brain to store what we have learned during the day .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1
A 4 5|||U:PART||||||OPTIONAL|||-NONE-|||2

S Can you borrow me your bicycle until friday ?
A 2 3|||R:VERB|||lend|||REQUIRED|||-NONE-|||0
A 7 8|||R:ORTH|||Friday|||REQUIRED|||-NONE-|||0
A 1 4|||R:OTHER|||I borrow|||REQUIRED|||-NONE-|||1
A 7 8|||R:ORTH|||Friday|||REQUIRED|||-NONE-|||1
A 0 4|||R:OTHER|||Could you lend me||Could I borrow|||REQUIRED|||-NONE-|||2
A 7 8|||R:ORTH|||Friday|||REQUIRED|||-NONE-|||2

S The new software is more easy to use that the old one , but it has still some bug .
A 4 6|||R:ADJ:FORM|||easier|||REQUIRED|||-NONE-|||0
A 8 9|||R:CONJ|||than|||REQUIRED|||-NONE-|||0
A 15 17|||R:WO|||still has|||REQUIRED|||-NONE-|||0
A 18 19|||R:NOUN:NUM|||bugs|||REQUIRED|||-NONE-|||0
A 4 6|||R:ADJ:FORM|||easier|||REQUIRED|||-NONE-|||1
A 8 9|||R:SPELL|||than|||REQUIRED|||-NONE-|||1
A 15 17|||R:WO|||still has|||REQUIRED|||-NONE-|||1
A 17 19|||R:OTHER|||some bugs||a bug|||REQUIRED|||-NONE-|||1
A 4 6|||R:ADJ:FORM|||easier|||REQUIRED|||-NONE-|||2
A 8 9|||R:CONJ|||than|||REQUIRED|||-NONE-|||2
A 15 19|||R:OTHER|||still has a few bugs|||REQUIRED|||-NONE-|||2

S I think that make sport regularly is very important for have a good health .
A 3 5|||R:OTHER|||doing sport||playing sport|||REQUIRED|||-NONE-|||0
A 10 12|||U:OTHER||||||REQUIRED|||-NONE-|||0
A 3 5|||R:OTHER|||doing sports||doing sport|||REQUIRED|||-NONE-|||1
A 10 12|||R:OTHER|||having|||REQUIRED|||-NONE-|||1
A 2 6|||R:OTHER|||regular exercise|||REQUIRED|||-NONE-|||2
A 10 12|||U:OTHER||||||REQUIRED|||-NONE-|||2

S When I arrived to the airport , I realized I forgot my pasport at home so I must to go back by taxi and I almost lost my flight .
A 3 4|||R:PREP|||at|||REQUIRED|||-NONE-|||0
A 10 11|||R:VERB:TENSE|||had forgotten|||REQUIRED|||-NONE-|||0
A 12 13|||R:SPELL|||passport|||REQUIRED|||-NONE-|||0
A 15 15|||M:PUNCT|||,|||REQUIRED|||-NONE-|||0
A 17 19|||R:VERB:TENSE|||had to|||REQUIRED|||-NONE-|||0
A 26 27|||R:VERB|||missed|||REQUIRED|||-NONE-|||0
A 3 4|||R:PREP|||at|||REQUIRED|||-NONE-|||1
A 10 11|||R:VERB|||had left|||REQUIRED|||-NONE-|||1
A 12 13|||R:SPELL|||passport|||REQUIRED|||-NONE-|||1
A 15 15|||M:PUNCT|||,|||REQUIRED|||-NONE-|||1
A 17 18|||R:VERB:TENSE|||had|||REQUIRED|||-NONE-|||1
A 23 23|||M:PUNCT|||,|||OPTIONAL|||-NONE-|||1
A 26 27|||R:VERB|||missed|||REQUIRED|||-NONE-|||1
A 2 4|||R:VERB|||got to||reached|||REQUIRED|||-NONE-|||2
A 9 9|||M:CONJ|||that|||OPTIONAL|||-NONE-|||2
A 10 11|||R:VERB|||had left|||REQUIRED|||-NONE-|||2
A 12 13|||R:SPELL|||passport|||REQUIRED|||-NONE-|||2
A 15 19|||R:OTHER|||and had to|||REQUIRED|||-NONE-|||2
A 23 24|||R:OTHER|||, so|||REQUIRED|||-NONE-|||2
A 26 27|||R:VERB|||missed|||REQUIRED|||-NONE-|||2

S The film was so bored that my father felt asleep in the half of it .
A 4 5|||R:ADJ|||boring|||REQUIRED|||-NONE-|||0
A 8 9|||R:VERB|||fell|||REQUIRED|||-NONE-|||0
A 12 13|||R:NOUN|||middle|||REQUIRED|||-NONE-|||0
A 4 5|||R:MORPH|||boring|||REQUIRED|||-NONE-|||1
A 8 9|||R:VERB|||fell|||REQUIRED|||-NONE-|||1
A 10 14|||R:OTHER|||halfway through|||REQUIRED|||-NONE-|||1
A 4 5|||R:ADJ|||boring|||REQUIRED|||-NONE-|||2
A 8 15|||R:OTHER|||fell asleep halfway through|||REQUIRED|||-NONE-|||2

S Every people in the office was surprise by the decision of the manager to leave the company .
A 0 2|||R:OTHER|||Everyone||Everybody|||REQUIRED|||-NONE-|||0
A 6 7|||R:VERB:FORM|||surprised|||REQUIRED|||-NONE-|||0
A 0 2|||R:OTHER|||Everybody||Everyone|||REQUIRED|||-NONE-|||1
A 6 7|||R:VERB:FORM|||surprised|||REQUIRED|||-NONE-|||1
A 8 13|||R:OTHER|||the manager 's decision|||OPTIONAL|||-NONE-|||1
A 0 2|||R:OTHER|||Everyone|||REQUIRED|||-NONE-|||2
A 6 13|||R:OTHER|||surprised by the manager 's decision|||REQUIRED|||-NONE-|||2
A 15 17|||U:NOUN||||||OPTIONAL|||-NONE-|||2

S In the other hand , live in a big city give you more oportunities for find a good job .
A 0 1|||R:PREP|||On|||REQUIRED|||-NONE-|||0
A 5 6|||R:VERB:FORM|||living|||REQUIRED|||-NONE-|||0
A 10 11|||R:VERB:SVA|||gives|||REQUIRED|||-NONE-|||0
A 13 14|||R:SPELL|||opportunities|||REQUIRED|||-NONE-|||0
A 14 15|||R:PREP|||to|||REQUIRED|||-NONE-|||0
A 0 1|||R:PREP|||On|||REQUIRED|||-NONE-|||1
A 5 6|||R:VERB:FORM|||living|||REQUIRED|||-NONE-|||1
A 10 11|||R:VERB:SVA|||gives|||REQUIRED|||-NONE-|||1
A 13 16|||R:OTHER|||opportunities to find|||REQUIRED|||-NONE-|||1
A 0 1|||R:PREP|||On|||REQUIRED|||-NONE-|||2
A 5 6|||R:VERB:FORM|||living|||REQUIRED|||-NONE-|||2
A 10 16|||R:OTHER|||offers you more chances of finding|||REQUIRED|||-NONE-|||2

S The lizard changed colour as soon as it felt the warm stone under its feet .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1
A 12 13|||R:PREP|||beneath|||OPTIONAL|||-NONE-|||2

S I would like to know how much does it cost and if is possible to pay by monthly .
A 7 10|||R:OTHER|||it costs|||REQUIRED|||-NONE-|||0
A 12 12|||M:PRON|||it|||REQUIRED|||-NONE-|||0
A 16 17|||U:PREP||||||REQUIRED|||-NONE-|||0
A 7 10|||R:WO|||it costs|||REQUIRED|||-NONE-|||1
A 11 12|||R:CONJ|||whether|||OPTIONAL|||-NONE-|||1
A 12 13|||R:OTHER|||it is|||REQUIRED|||-NONE-|||1
A 16 17|||U:PREP||||||REQUIRED|||-NONE-|||1
A 7 10|||R:OTHER|||it costs|||REQUIRED|||-NONE-|||2
A 11 18|||R:OTHER|||whether I can pay by the month|||REQUIRED|||-NONE-|||2

S Despite of the long distance , she visit her parents every weekends .
A 1 2|||U:PREP||||||REQUIRED|||-NONE-|||0
A 7 8|||R:VERB:SVA|||visits|||REQUIRED|||-NONE-|||0
A 11 12|||R:NOUN:NUM|||weekend|||REQUIRED|||-NONE-|||0
A 0 1|||R:PREP|||In spite|||REQUIRED|||-NONE-|||1
A 7 8|||R:VERB:SVA|||visits|||REQUIRED|||-NONE-|||1
A 11 12|||R:NOUN:NUM|||weekend|||REQUIRED|||-NONE-|||1
A 0 5|||R:OTHER|||Although they live far away|||REQUIRED|||-NONE-|||2
A 7 8|||R:VERB:SVA|||visits|||REQUIRED|||-NONE-|||2
A 11 12|||R:NOUN:NUM|||weekend|||REQUIRED|||-NONE-|||2

S The scientists has discovered a new specie of frog who can survive for months without water .
A 0 1|||U:DET||||||REQUIRED|||-NONE-|||0
A 1 2|||R:ORTH|||Scientists|||REQUIRED|||-NONE-|||0
A 2 3|||R:VERB:SVA|||have|||REQUIRED|||-NONE-|||0
A 6 7|||R:NOUN:NUM|||species|||REQUIRED|||-NONE-|||0
A 9 10|||R:PRON|||that||which|||REQUIRED|||-NONE-|||0
A 2 3|||R:VERB:SVA|||have|||REQUIRED|||-NONE-|||1
A 6 7|||R:NOUN:NUM|||species|||REQUIRED|||-NONE-|||1
A 9 10|||R:PRON|||which|||REQUIRED|||-NONE-|||1
A 0 3|||R:OTHER|||Scientists have|||REQUIRED|||-NONE-|||2
A 6 7|||R:NOUN:NUM|||species|||REQUIRED|||-NONE-|||2
A 9 12|||R:OTHER|||capable of surviving|||REQUIRED|||-NONE-|||2

S He entered in the room quietly , put off his shoes and sit down besides of the window .
A 2 3|||U:PREP||||||REQUIRED|||-NONE-|||0
A 7 8|||R:VERB|||took|||REQUIRED|||-NONE-|||0
A 12 13|||R:VERB:TENSE|||sat|||REQUIRED|||-NONE-|||0
A 14 16|||R:PREP|||beside||by|||REQUIRED|||-NONE-|||0
A 2 3|||U:PREP||||||REQUIRED|||-NONE-|||1
A 7 8|||R:VERB|||took|||REQUIRED|||-NONE-|||1
A 12 13|||R:VERB:TENSE|||sat|||REQUIRED|||-NONE-|||1
A 14 16|||R:PREP|||next to|||REQUIRED|||-NONE-|||1
A 1 6|||R:WO|||quietly entered the room|||REQUIRED|||-NONE-|||2
A 7 8|||R:VERB|||took|||REQUIRED|||-NONE-|||2
A 12 13|||R:VERB:TENSE|||sat|||REQUIRED|||-NONE-|||2
A 14 16|||R:PREP|||by|||REQUIRED|||-NONE-|||2

S He do not likes fishes .
A 1 2|||R:VERB:SVA|||does|||REQUIRED|||-NONE-|||0
A 3 5|||R:OTHER|||like fish|||REQUIRED|||-NONE-|||0
A 1 2|||R:VERB:SVA|||does|||REQUIRED|||-NONE-|||1
A 3 4|||R:VERB:FORM|||like|||REQUIRED|||-NONE-|||1
A 4 5|||R:NOUN:NUM|||fish|||REQUIRED|||-NONE-|||1
A 1 5|||R:OTHER|||does not like fish|||REQUIRED|||-NONE-|||2

S The advantages of online classes is that you can to study everywhere and you do n't need wear uniform .
A 1 2|||R:NOUN:NUM|||advantage|||REQUIRED|||-NONE-|||0
A 9 10|||U:PART||||||REQUIRED|||-NONE-|||0
A 11 12|||R:ADV|||anywhere|||REQUIRED|||-NONE-|||0
A 17 17|||M:PART|||to|||REQUIRED|||-NONE-|||0
A 18 18|||M:DET|||a|||REQUIRED|||-NONE-|||0
A 1 2|||R:NOUN:NUM|||advantage|||REQUIRED|||-NONE-|||1
A 9 10|||U:PART||||||REQUIRED|||-NONE-|||1
A 17 17|||M:PART|||to|||REQUIRED|||-NONE-|||1
A 18 18|||M:DET|||a|||REQUIRED|||-NONE-|||1
A 1 6|||R:OTHER|||advantages of online classes are|||REQUIRED|||-NONE-|||2
A 9 14|||R:OTHER|||study anywhere and|||REQUIRED|||-NONE-|||2
A 17 18|||R:OTHER|||to wear a|||REQUIRED|||-NONE-|||2

S I am living in this town since I had five years old .
A 1 3|||R:VERB:TENSE|||have lived||have been living|||REQUIRED|||-NONE-|||0
A 8 9|||R:VERB|||was|||REQUIRED|||-NONE-|||0
A 1 3|||R:VERB:TENSE|||have been living|||REQUIRED|||-NONE-|||1
A 8 9|||R:VERB|||was|||REQUIRED|||-NONE-|||1
A 1 3|||R:VERB:TENSE|||have lived|||REQUIRED|||-NONE-|||2
A 3 6|||R:OTHER|||here|||OPTIONAL|||-NONE-|||2
A 8 12|||R:OTHER|||was five|||REQUIRED|||-NONE-|||2

S Our team finished the project two days late because of nobody have told us about the changes of the plan .
A 9 10|||U:PREP||||||REQUIRED|||-NONE-|||0
A 11 12|||R:VERB:TENSE|||had|||REQUIRED|||-NONE-|||0
A 17 18|||R:PREP|||to||in|||REQUIRED|||-NONE-|||0
A 9 10|||U:PREP||||||REQUIRED|||-NONE-|||1
A 11 13|||R:VERB:TENSE|||told|||REQUIRED|||-NONE-|||1
A 17 18|||R:PREP|||in|||REQUIRED|||-NONE-|||1
A 9 14|||R:OTHER|||no one had informed us|||REQUIRED|||-NONE-|||2
A 16 20|||R:OTHER|||change of plan|||REQUIRED|||-NONE-|||2

S Nobody knows who painted the small blue door at the end of the street .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1
A 5 6|||R:ADJ|||little|||OPTIONAL|||-NONE-|||2

S the hotel room was cleaned but the personal was not very kindly with us .
A 0 1|||R:ORTH|||The|||REQUIRED|||-NONE-|||0
A 4 5|||R:ADJ|||clean|||REQUIRED|||-NONE-|||0
A 5 5|||M:PUNCT|||,|||REQUIRED|||-NONE-|||0
A 7 8|||R:NOUN|||staff|||REQUIRED|||-NONE-|||0
A 8 9|||R:VERB:SVA|||were|||REQUIRED|||-NONE-|||0
A 11 13|||R:OTHER|||kind to|||REQUIRED|||-NONE-|||0
A 0 1|||R:ORTH|||The|||REQUIRED|||-NONE-|||1
A 4 5|||R:VERB:FORM|||clean|||REQUIRED|||-NONE-|||1
A 7 8|||R:NOUN|||personnel||staff|||REQUIRED|||-NONE-|||1
A 8 9|||R:VERB:SVA|||were|||REQUIRED|||-NONE-|||1
A 11 12|||R:ADJ|||kind|||REQUIRED|||-NONE-|||1
A 12 13|||R:PREP|||to|||REQUIRED|||-NONE-|||1
A 0 5|||R:OTHER|||Our hotel room was clean|||REQUIRED|||-NONE-|||2
A 5 5|||M:PUNCT|||,|||REQUIRED|||-NONE-|||2
A 7 9|||R:OTHER|||staff were|||REQUIRED|||-NONE-|||2
A 11 14|||R:OTHER|||friendly|||REQUIRED|||-NONE-|||2

S We was walking since hours when we finally seen a light between the trees .
A 1 2|||R:VERB:TENSE|||had been|||REQUIRED|||-NONE-|||0
A 3 4|||R:PREP|||for|||REQUIRED|||-NONE-|||0
A 8 9|||R:VERB:TENSE|||saw|||REQUIRED|||-NONE-|||0
A 1 4|||R:OTHER|||had walked for||had been walking for|||REQUIRED|||-NONE-|||1
A 8 9|||R:VERB:TENSE|||saw|||REQUIRED|||-NONE-|||1
A 1 9|||R:OTHER|||had been walking for hours when at last we saw|||REQUIRED|||-NONE-|||2
A 11 12|||R:PREP|||among|||OPTIONAL|||-NONE-|||2

S Children who spend many time in front of the computer often has problem with their eyes , they also sleep bad .
A 3 4|||R:OTHER|||a lot of||too much|||REQUIRED|||-NONE-|||0
A 11 13|||R:OTHER|||have problems|||REQUIRED|||-NONE-|||0
A 16 17|||R:PUNCT|||;|||REQUIRED|||-NONE-|||0
A 20 21|||R:ADV|||badly|||REQUIRED|||-NONE-|||0
A 3 4|||R:ADJ|||much||a lot of|||REQUIRED|||-NONE-|||1
A 11 12|||R:VERB:SVA|||have|||REQUIRED|||-NONE-|||1
A 12 13|||R:NOUN:NUM|||problems|||REQUIRED|||-NONE-|||1
A 16 18|||R:OTHER|||. They|||REQUIRED|||-NONE-|||1
A 20 21|||R:ADV|||badly|||REQUIRED|||-NONE-|||1
A 3 4|||R:OTHER|||too much|||REQUIRED|||-NONE-|||2
A 5 8|||R:PREP|||at|||REQUIRED|||-NONE-|||2
A 11 21|||R:OTHER|||have eye problems and sleep badly|||REQUIRED|||-NONE-|||2

S Thank you for invite me at your wedding , it will be a pleasure for me to assist .
A 3 4|||R:VERB:FORM|||inviting|||REQUIRED|||-NONE-|||0
A 5 6|||R:PREP|||to|||REQUIRED|||-NONE-|||0
A 8 10|||R:OTHER|||. It|||REQUIRED|||-NONE-|||0
A 17 18|||R:VERB|||attend|||REQUIRED|||-NONE-|||0
A 3 4|||R:VERB:FORM|||inviting|||REQUIRED|||-NONE-|||1
A 5 6|||R:PREP|||to|||REQUIRED|||-NONE-|||1
A 8 9|||R:PUNCT|||;|||REQUIRED|||-NONE-|||1
A 14 16|||U:OTHER||||||OPTIONAL|||-NONE-|||1
A 17 18|||R:VERB|||attend||come|||REQUIRED|||-NONE-|||1
A 3 6|||R:OTHER|||inviting me to|||REQUIRED|||-NONE-|||2
A 8 18|||R:OTHER|||. I will be delighted to attend|||REQUIRED|||-NONE-|||2

S She told that she will call me when she would arrive home , but she did n't .
A 1 2|||R:VERB|||said|||REQUIRED|||-NONE-|||0
A 4 5|||R:VERB:TENSE|||would|||REQUIRED|||-NONE-|||0
A 9 11|||R:VERB:TENSE|||arrived|||REQUIRED|||-NONE-|||0
A 2 2|||M:PRON|||me|||REQUIRED|||-NONE-|||1
A 4 5|||R:VERB:TENSE|||would|||REQUIRED|||-NONE-|||1
A 9 11|||R:VERB|||got||arrived|||REQUIRED|||-NONE-|||1
A 1 5|||R:OTHER|||said she would|||REQUIRED|||-NONE-|||2
A 9 11|||R:VERB|||got|||REQUIRED|||-NONE-|||2
A 15 17|||R:OTHER|||never did|||REQUIRED|||-NONE-|||2

S Iron is more heavier than aluminium , that is why planes are not made of it .
A 2 3|||U:ADV||||||REQUIRED|||-NONE-|||0
A 7 8|||R:PRON|||which|||REQUIRED|||-NONE-|||0
A 2 4|||R:ADJ:FORM|||heavier|||REQUIRED|||-NONE-|||1
A 6 7|||R:PUNCT|||;|||REQUIRED|||-NONE-|||1
A 2 8|||R:OTHER|||heavier than aluminium , which|||REQUIRED|||-NONE-|||2
A 10 16|||R:OTHER|||it is not used to make planes|||REQUIRED|||-NONE-|||2

S My first day in the new work was a dissaster because I lost myself in the building and arrived late at the meeting .
A 3 4|||R:PREP|||at|||REQUIRED|||-NONE-|||0
A 6 7|||R:NOUN|||job|||REQUIRED|||-NONE-|||0
A 9 10|||R:SPELL|||disaster|||REQUIRED|||-NONE-|||0
A 12 14|||R:OTHER|||got lost|||REQUIRED|||-NONE-|||0
A 20 21|||R:PREP|||for|||REQUIRED|||-NONE-|||0
A 3 4|||R:PREP|||at|||REQUIRED|||-NONE-|||1
A 6 7|||R:NOUN|||job|||REQUIRED|||-NONE-|||1
A 9 10|||R:SPELL|||disaster|||REQUIRED|||-NONE-|||1
A 12 14|||R:OTHER|||got lost|||REQUIRED|||-NONE-|||1
A 3 7|||R:OTHER|||at my new job|||REQUIRED|||-NONE-|||2
A 9 10|||R:SPELL|||disaster|||REQUIRED|||-NONE-|||2
A 12 14|||R:OTHER|||got lost|||REQUIRED|||-NONE-|||2
A 18 22|||R:OTHER|||was late for a|||REQUIRED|||-NONE-|||2

S People should be more carefull with the datas that they share on internet .
A 4 5|||R:SPELL|||careful|||REQUIRED|||-NONE-|||0
A 7 8|||R:NOUN:INFL|||data|||REQUIRED|||-NONE-|||0
A 12 12|||M:DET|||the|||REQUIRED|||-NONE-|||0
A 12 13|||R:ORTH|||Internet|||OPTIONAL|||-NONE-|||0
A 4 5|||R:SPELL|||careful|||REQUIRED|||-NONE-|||1
A 7 8|||R:NOUN:INFL|||data|||REQUIRED|||-NONE-|||1
A 12 12|||M:DET|||the|||REQUIRED|||-NONE-|||1
A 4 9|||R:OTHER|||careful about the data|||REQUIRED|||-NONE-|||2
A 11 13|||R:OTHER|||online|||REQUIRED|||-NONE-|||2

S I would rather walk home than wait another hour for the bus .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||2

S The most of the teachers in my school gives us too many homework in the weekend .
A 0 2|||R:OTHER|||Most|||REQUIRED|||-NONE-|||0
A 5 6|||R:PREP|||at|||OPTIONAL|||-NONE-|||0
A 8 9|||R:VERB:SVA|||give|||REQUIRED|||-NONE-|||0
A 11 12|||R:ADJ|||much|||REQUIRED|||-NONE-|||0
A 13 14|||R:PREP|||at||on||over|||REQUIRED|||-NONE-|||0
A 0 2|||R:OTHER|||Most|||REQUIRED|||-NONE-|||1
A 8 9|||R:VERB:SVA|||give|||REQUIRED|||-NONE-|||1
A 11 12|||R:ADJ|||much|||REQUIRED|||-NONE-|||1
A 13 14|||R:PREP|||for||over|||REQUIRED|||-NONE-|||1
A 0 9|||R:OTHER|||Most teachers at my school give|||REQUIRED|||-NONE-|||2
A 11 14|||R:OTHER|||much homework for|||REQUIRED|||-NONE-|||2

S Suddenly the light went off and we heared a strange noise what came from upstairs .
A 7 8|||R:VERB:INFL|||heard|||REQUIRED|||-NONE-|||0
A 11 12|||R:PRON|||that||which|||REQUIRED|||-NONE-|||0
A 1 1|||M:PUNCT|||,|||OPTIONAL|||-NONE-|||1
A 4 5|||R:PART|||out|||OPTIONAL|||-NONE-|||1
A 7 8|||R:VERB:INFL|||heard|||REQUIRED|||-NONE-|||1
A 11 12|||R:PRON|||that||which|||REQUIRED|||-NONE-|||1
A 1 1|||M:PUNCT|||,|||OPTIONAL|||-NONE-|||2
A 2 5|||R:OTHER|||lights went out|||REQUIRED|||-NONE-|||2
A 7 8|||R:VERB:INFL|||heard|||REQUIRED|||-NONE-|||2
A 11 13|||R:OTHER|||coming|||REQUIRED|||-NONE-|||2

S It depends of how much money do you have .
A 2 3|||R:PREP|||on|||REQUIRED|||-NONE-|||0
A 6 7|||U:VERB||||||REQUIRED|||-NONE-|||0
A 2 3|||R:PREP|||on|||REQUIRED|||-NONE-|||1
A 6 8|||R:OTHER|||you|||REQUIRED|||-NONE-|||1
A 1 9|||R:OTHER|||all depends on your budget|||REQUIRED|||-NONE-|||2

S I strongly believe the fact that learning another languages open your mind and helps you to understand the others cultures .
A 3 5|||U:OTHER||||||REQUIRED|||-NONE-|||0
A 7 10|||R:OTHER|||other languages opens|||REQUIRED|||-NONE-|||0
A 17 19|||R:OTHER|||other|||REQUIRED|||-NONE-|||0
A 3 3|||M:PREP|||in|||REQUIRED|||-NONE-|||1
A 7 9|||R:NOUN:NUM|||another language|||REQUIRED|||-NONE-|||1
A 9 10|||R:VERB:SVA|||opens|||REQUIRED|||-NONE-|||1
A 17 18|||U:DET||||||REQUIRED|||-NONE-|||1
A 18 19|||R:ADJ:FORM|||other|||REQUIRED|||-NONE-|||1
A 3 5|||U:OTHER||||||REQUIRED|||-NONE-|||2
A 7 10|||R:OTHER|||foreign languages broadens|||REQUIRED|||-NONE-|||2
A 15 20|||R:OTHER|||understand other cultures|||REQUIRED|||-NONE-|||2

S Please , let me to know if you are interesting in this position .
A 1 2|||U:PUNCT||||||REQUIRED|||-NONE-|||0
A 4 5|||U:PART||||||REQUIRED|||-NONE-|||0
A 9 10|||R:ADJ|||interested|||REQUIRED|||-NONE-|||0
A 4 5|||U:PART||||||REQUIRED|||-NONE-|||1
A 9 10|||R:MORPH|||interested|||REQUIRED|||-NONE-|||1
A 1 5|||R:OTHER|||let me|||REQUIRED|||-NONE-|||2
A 6 11|||R:OTHER|||whether you would be interested in|||REQUIRED|||-NONE-|||2

S The number of tourists who visits our island have increased dramaticaly in the last ten years , what is good for economy but bad for beaches and for the birds .
A 5 6|||R:VERB:SVA|||visit|||REQUIRED|||-NONE-|||0
A 8 9|||R:VERB:SVA|||has|||REQUIRED|||-NONE-|||0
A 10 11|||R:SPELL|||dramatically|||REQUIRED|||-NONE-|||0
A 17 18|||R:PRON|||which|||REQUIRED|||-NONE-|||0
A 21 21|||M:DET|||the|||REQUIRED|||-NONE-|||0
A 25 25|||M:DET|||the|||REQUIRED|||-NONE-|||0
A 5 6|||R:VERB:SVA|||visit|||REQUIRED|||-NONE-|||1
A 8 9|||R:VERB:SVA|||has|||REQUIRED|||-NONE-|||1
A 10 11|||R:SPELL|||dramatically|||REQUIRED|||-NONE-|||1
A 11 12|||R:PREP|||over|||OPTIONAL|||-NONE-|||1
A 17 18|||R:PRON|||which|||REQUIRED|||-NONE-|||1
A 21 21|||M:DET|||the|||REQUIRED|||-NONE-|||1
A 25 25|||M:DET|||our||the|||REQUIRED|||-NONE-|||1
A 4 6|||R:OTHER|||visiting|||REQUIRED|||-NONE-|||2
A 8 14|||R:OTHER|||has risen dramatically over the past|||REQUIRED|||-NONE-|||2
A 17 18|||R:PRON|||which|||REQUIRED|||-NONE-|||2
A 21 21|||M:DET|||the|||REQUIRED|||-NONE-|||2
A 25 25|||M:DET|||the|||REQUIRED|||-NONE-|||2
A 27 28|||U:PREP||||||OPTIONAL|||-NONE-|||2

S My neighbour , who his dog barks all the night , never apologised for the noises .
A 3 5|||R:PRON|||whose|||REQUIRED|||-NONE-|||0
A 8 9|||U:DET||||||REQUIRED|||-NONE-|||0
A 11 11|||M:VERB:TENSE|||has|||REQUIRED|||-NONE-|||0
A 15 16|||R:NOUN:NUM|||noise|||REQUIRED|||-NONE-|||0
A 3 5|||R:PRON|||whose|||REQUIRED|||-NONE-|||1
A 8 9|||U:DET||||||REQUIRED|||-NONE-|||1
A 12 13|||R:VERB:TENSE|||apologises|||REQUIRED|||-NONE-|||1
A 15 16|||R:NOUN:NUM|||noise|||REQUIRED|||-NONE-|||1
A 1 11|||R:OTHER|||neighbour 's dog barks all night , and he has|||REQUIRED|||-NONE-|||2
A 15 16|||R:NOUN:NUM|||noise|||REQUIRED|||-NONE-|||2

S We have measured the temperature of the mixture each five minutes and writed the results in a table .
A 1 3|||R:VERB:TENSE|||measured|||REQUIRED|||-NONE-|||0
A 8 9|||R:DET|||every|||REQUIRED|||-NONE-|||0
A 12 13|||R:VERB:INFL|||wrote|||REQUIRED|||-NONE-|||0
A 8 9|||R:DET|||every|||REQUIRED|||-NONE-|||1
A 12 13|||R:VERB:FORM|||written|||REQUIRED|||-NONE-|||1
A 1 2|||U:VERB:TENSE||||||REQUIRED|||-NONE-|||2
A 8 9|||R:DET|||every|||REQUIRED|||-NONE-|||2
A 12 13|||R:VERB|||recorded||noted|||REQUIRED|||-NONE-|||2

S Although she had never sailed before , Marta steered the boat safely into the harbour .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||2

S Is very hard to find a flat cheap near of the university , specially in september .
A 0 1|||R:OTHER|||It is|||REQUIRED|||-NONE-|||0
A 6 8|||R:WO|||cheap flat|||REQUIRED|||-NONE-|||0
A 9 10|||U:PREP||||||REQUIRED|||-NONE-|||0
A 13 14|||R:ADV|||especially|||REQUIRED|||-NONE-|||0
A 15 16|||R:ORTH|||September|||REQUIRED|||-NONE-|||0
A 0 1|||R:OTHER|||It is|||REQUIRED|||-NONE-|||1
A 6 8|||R:WO|||cheap flat|||REQUIRED|||-NONE-|||1
A 9 10|||R:PREP|||to|||REQUIRED|||-NONE-|||1
A 15 16|||R:ORTH|||September|||REQUIRED|||-NONE-|||1
A 0 10|||R:OTHER|||Cheap flats are very hard to find near|||REQUIRED|||-NONE-|||2
A 13 14|||R:ADV|||especially|||REQUIRED|||-NONE-|||2
A 15 16|||R:ORTH|||September|||REQUIRED|||-NONE-|||2

S Always when I hear this song , I remember me of the hollidays that we passed in Greece .
A 0 2|||R:CONJ|||Whenever|||REQUIRED|||-NONE-|||0
A 8 11|||R:OTHER|||remember|||REQUIRED|||-NONE-|||0
A 12 13|||R:SPELL|||holidays|||REQUIRED|||-NONE-|||0
A 15 16|||R:VERB|||spent|||REQUIRED|||-NONE-|||0
A 0 2|||R:OTHER|||Every time||Whenever|||REQUIRED|||-NONE-|||1
A 9 11|||U:OTHER||||||REQUIRED|||-NONE-|||1
A 12 13|||R:SPELL|||holidays|||REQUIRED|||-NONE-|||1
A 13 14|||U:PRON||||||OPTIONAL|||-NONE-|||1
A 15 16|||R:VERB|||spent|||REQUIRED|||-NONE-|||1
A 0 11|||R:OTHER|||This song always reminds me of|||REQUIRED|||-NONE-|||2
A 12 14|||R:OTHER|||holidays|||REQUIRED|||-NONE-|||2
A 15 16|||R:VERB|||spent|||REQUIRED|||-NONE-|||2

S To be honest , I did n't expected that the exam would be so much difficult , but I hope I have passed .
A 7 8|||R:VERB:FORM|||expect|||REQUIRED|||-NONE-|||0
A 14 15|||U:ADV||||||REQUIRED|||-NONE-|||0
A 7 8|||R:VERB:FORM|||expect|||REQUIRED|||-NONE-|||1
A 8 12|||R:OTHER|||the exam to|||REQUIRED|||-NONE-|||1
A 14 15|||U:ADV||||||REQUIRED|||-NONE-|||1
A 7 15|||R:OTHER|||expect the exam to be that|||REQUIRED|||-NONE-|||2
A 20 22|||R:VERB:TENSE|||I|||OPTIONAL|||-NONE-|||2

S I wish I can speak with you personally because in a email is difficult to explain all what happened between the two departments since january .
A 3 4|||R:VERB:TENSE|||could|||REQUIRED|||-NONE-|||0
A 10 11|||R:DET|||an|||REQUIRED|||-NONE-|||0
A 12 12|||M:PRON|||it|||REQUIRED|||-NONE-|||0
A 16 18|||R:PRON|||everything that||all that|||REQUIRED|||-NONE-|||0
A 18 19|||R:VERB:TENSE|||has happened|||REQUIRED|||-NONE-|||0
A 24 25|||R:ORTH|||January|||REQUIRED|||-NONE-|||0
A 3 4|||R:VERB:TENSE|||could|||REQUIRED|||-NONE-|||1
A 5 6|||R:PREP|||to|||OPTIONAL|||-NONE-|||1
A 8 8|||M:PUNCT|||,|||OPTIONAL|||-NONE-|||1
A 9 14|||R:OTHER|||it is difficult in an email|||REQUIRED|||-NONE-|||1
A 16 18|||R:PRON|||all that||everything that|||REQUIRED|||-NONE-|||1
A 18 19|||R:VERB:TENSE|||has happened|||REQUIRED|||-NONE-|||1
A 24 25|||R:ORTH|||January|||REQUIRED|||-NONE-|||1
A 3 8|||R:OTHER|||could speak to you in person|||REQUIRED|||-NONE-|||2
A 9 19|||R:OTHER|||it is difficult to explain in an email everything that has happened|||REQUIRED|||-NONE-|||2
A 24 25|||R:ORTH|||January|||REQUIRED|||-NONE-|||2

